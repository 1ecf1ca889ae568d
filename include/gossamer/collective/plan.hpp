// Collectives to call: planned once, started any number of times.
//
//   auto plan = gossamer::plan_allreduce<double>(r, in, out, reduction::sum);
//   for (…) { fill(in); plan.start(); /* other work */ plan.wait(); use(out); }
//
// Planning is collective (all ranks, same order, same arguments; a mismatch is an error that names
// both ranks) and takes everything that is needed: symmetric scratch, signals, transfer lists,
// resolved addresses. start() and wait() allocate and register nothing, need no barrier between
// them, and may be repeated back to back; each start is followed by its wait.
//
// Buffers. Inputs are any memory the rank can read: host, or on a GPU rank also device memory.
// Outputs likewise (they are then staged through scratch where peers write them), or, on every
// rank, a range of one window: then peers write straight into it. Between wait() and the next
// start() both belong to the caller. Passing the same memory as input and output works in place:
//   allreduce, reduce (root), all_to_all(_v): output is input;
//   allgather, gather (root): input is block id() of output;
//   reduce_scatter, scatter (root): output is block id() of input.
//
// Order. On a CPU rank wait() returns when the result is there. On a GPU rank both calls enqueue
// into a stream (r.stream() unless the options give one) and return: what runs before in that
// stream is seen, the result is there for what runs after, and r.synchronize() waits for it.
// (reduce @direct_host computes on the CPU, so there wait() blocks.)
//
// T: any trivially copyable type; reductions take int32, uint32, int64, uint64, float and double.
// Integers wrap. Floats are combined in an order that only the schedule decides, so a run repeats
// bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/collective/scalar.hpp"
#include "gossamer/collective/schedule.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// Element types of reductions.
enum class element_type : std::uint8_t { int32, uint32, int64, uint64, float32, float64, other };
template <class T>
constexpr element_type element_type_of() {
  if constexpr (std::is_same_v<T, float>) return element_type::float32;
  if constexpr (std::is_same_v<T, double>) return element_type::float64;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
    return std::is_signed_v<T> ? element_type::int32 : element_type::uint32;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return std::is_signed_v<T> ? element_type::int64 : element_type::uint64;
  return element_type::other;
}

/// How a plan's steps are carried out. The result is the same, bit for bit.
enum class plan_runner : std::uint8_t {
  /// one_kernel where every rank has a GPU that can, and either messages have at most 64 MiB or the
  /// algorithm sends many pieces (relay). Else steps.
  automatic,
  steps,  ///< one call into the fabric a step: copy engines, any pair, any memory
  /// Everything in one kernel launch, short transfers with flag and data in one store. It needs a
  /// machine where every pair is direct, buffers that kernels can address, no algorithm that
  /// reduces in host memory, at most 64 ranks, and GPUs that run the kernels of all their ranks
  /// together. Else planning is a usage_error that says what is missing. start() and wait() may be
  /// captured into a graph, whose replays are epochs like any other. On CPU ranks the calling
  /// thread does the same in wait().
  one_kernel,
};

struct plan_options {
  /// Pins one by name; empty = the machine's rules decide (rules.hpp). Where these leave long
  /// vectors to NCCL, a plan that asks for something NCCL does not do still runs a schedule.
  std::string algorithm;
  std::string rules;  ///< rules text instead of the machine's (see rules.hpp)
  /// Blocks of different sizes (scatter, gather, allgather, reduce_scatter), one per rank.
  std::vector<std::size_t> counts;
  std::vector<int> mapping;  ///< see collective_request
  int segments = 0;
  bool via_host = false;                        ///< see collective_request; not for GPU ranks
  bool apart = false;                           ///< see collective_request
  plan_runner runner = plan_runner::automatic;  ///< the same on every rank
  const gossamer::stream* on = nullptr;         ///< GPU ranks: must outlive the plan
};

/// Where a result goes: memory of the caller, or `count` elements of a window from `offset` on
/// (offsets may differ by rank).
template <class T>
struct output_range {
  T* data = nullptr;
  std::size_t count = 0;
  const window_table* table = nullptr;
  std::size_t offset = 0;

  output_range() = default;
  output_range(std::span<T> memory) : data(memory.data()), count(memory.size()) {}
  output_range(std::vector<T>& memory) : output_range(std::span<T>(memory)) {}
  output_range(const window<T>& w) : output_range(w, 0, w.size()) {}
  /// usage_error when the range leaves this rank's part.
  output_range(const window<T>& w, std::size_t from, std::size_t n) : count(n), offset(from) {
    require(from <= w.size() && n <= w.size() - from, "output range: outside the window");
    data = w.local().data() + from;
    table = &w.table();
  }
};

class collective_plan {
 public:
  collective_plan(collective_plan&&) noexcept;
  collective_plan& operator=(collective_plan&&) noexcept;
  ~collective_plan();
  /// Begins the next epoch: does what needs no waiting (CPU), enqueues everything (GPU).
  /// usage_error when the one before was not waited for.
  void start();
  void wait();
  /// start(), wait().
  void run() {
    start();
    wait();
  }
  [[nodiscard]] const schedule& what() const;
  [[nodiscard]] std::uint64_t epochs() const;  ///< starts so far, without replays of a graph
  [[nodiscard]] plan_runner runner() const;    ///< what was chosen: steps or one_kernel

  struct state;  ///< opaque
  explicit collective_plan(std::unique_ptr<state> s);

 private:
  std::unique_ptr<state> state_;
};

/// What a plan of this schedule takes from a rank's arenas (run_options::arenas): scratch, signals,
/// alignment. Add it up over plans. On GPU ranks, a reduction whose buffers are pageable host
/// memory takes the size of these buffers on top.
arena_plan bytes_needed(const schedule& s, int rank);

namespace plan_detail {
struct buffers {
  const void* input = nullptr;
  std::size_t input_count = 0;
  void* output = nullptr;
  std::size_t output_count = 0;
  const window_table* table = nullptr;
  std::size_t offset = 0;
};
collective_plan make(rank& r, collective_request q, element_type type, reduction op,
                     const buffers& where, const plan_options& options);

template <class T>
collective_plan make(rank& r, collective_op op, int root, std::size_t count, reduction how,
                     std::span<const T> in, const output_range<T>& out,
                     const plan_options& options) {
  static_assert(std::is_trivially_copyable_v<T>);
  collective_request q;
  q.op = op;
  q.root = root;
  q.count = count;
  q.element = sizeof(T);
  return make(r, std::move(q), element_type_of<T>(), how,
              {in.data(), in.size(), out.data, out.count, out.table, out.offset}, options);
}
template <class T>
using input_range = std::type_identity_t<std::span<const T>>;
template <class T>
using target_range = std::type_identity_t<output_range<T>>;
inline std::size_t block(std::size_t n, const plan_options& options) {
  return options.counts.empty() ? n : 0;
}
}  // namespace plan_detail

/// Root's `data` to everybody's; as many elements on every rank.
template <class T>
collective_plan plan_broadcast(rank& r, plan_detail::target_range<T> data, int root,
                               const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::broadcast, root, data.count, reduction::sum,
                              {data.data, r.id() == root ? data.count : 0}, data, options);
}
/// Block i of root's `in` (rank order) to rank i's `out`; `in` is ignored elsewhere.
template <class T>
collective_plan plan_scatter(rank& r, plan_detail::input_range<T> in,
                             plan_detail::target_range<T> out, int root,
                             const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::scatter, root,
                              plan_detail::block(out.count, options), reduction::sum, in, out,
                              options);
}
/// Rank i's `in` to block i of root's `out`; `out` is ignored elsewhere.
template <class T>
collective_plan plan_gather(rank& r, plan_detail::input_range<T> in,
                            plan_detail::target_range<T> out, int root,
                            const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::gather, root,
                              plan_detail::block(in.size(), options), reduction::sum, in, out,
                              options);
}
/// The reduction of all `in` to root's `out`; `out` is ignored elsewhere.
template <class T>
collective_plan plan_reduce(rank& r, plan_detail::input_range<T> in,
                            plan_detail::target_range<T> out, reduction how, int root,
                            const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::reduce, root, in.size(), how, in, out, options);
}
/// Rank i's `in` to block i of every `out`.
template <class T>
collective_plan plan_allgather(rank& r, plan_detail::input_range<T> in,
                               plan_detail::target_range<T> out, const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::allgather, 0,
                              plan_detail::block(in.size(), options), reduction::sum, in, out,
                              options);
}
template <class T>
collective_plan plan_allreduce(rank& r, plan_detail::input_range<T> in,
                               plan_detail::target_range<T> out, reduction how,
                               const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::allreduce, 0, in.size(), how, in, out, options);
}
/// Block i of the reduction of all `in` to rank i's `out`.
template <class T>
collective_plan plan_reduce_scatter(rank& r, plan_detail::input_range<T> in,
                                    plan_detail::target_range<T> out, reduction how,
                                    const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::reduce_scatter, 0,
                              plan_detail::block(out.count, options), how, in, out, options);
}
/// Block j of rank i's `in` to block i of rank j's `out`; blocks of in.size() / size() elements.
template <class T>
collective_plan plan_all_to_all(rank& r, plan_detail::input_range<T> in,
                                plan_detail::target_range<T> out,
                                const plan_options& options = {}) {
  return plan_detail::make<T>(r, collective_op::all_to_all, 0,
                              in.size() / static_cast<std::size_t>(r.size()), reduction::sum, in,
                              out, options);
}
/// The same with send_counts[j] elements for rank j (blocks in rank order without gaps); `out` gets
/// blocks in rank order, of the sizes that the senders gave.
template <class T>
collective_plan plan_all_to_all_v(rank& r, plan_detail::input_range<T> in,
                                  std::span<const std::size_t> send_counts,
                                  plan_detail::target_range<T> out,
                                  const plan_options& options = {}) {
  plan_options with_counts = options;
  with_counts.counts.assign(send_counts.begin(), send_counts.end());
  return plan_detail::make<T>(r, collective_op::all_to_all_v, 0, 0, reduction::sum, in, out,
                              with_counts);
}
/// Nobody's wait() (GPU: nobody's stream) passes before all have started.
inline collective_plan plan_barrier(rank& r, const plan_options& options = {}) {
  return plan_detail::make<std::byte>(r, collective_op::barrier, 0, 0, reduction::sum, {}, {},
                                      options);
}
/// Any operation, chosen at run time; `count` is collective_request's. Arguments that the operation
/// has no use for are ignored; all_to_all_v takes its counts from the options.
template <class T>
collective_plan plan_collective(rank& r, collective_op op, int root, std::size_t count,
                                plan_detail::input_range<T> in, plan_detail::target_range<T> out,
                                reduction how, const plan_options& options = {}) {
  if (op == collective_op::broadcast) return plan_broadcast<T>(r, out, root, options);
  if (op == collective_op::barrier) return plan_barrier(r, options);
  return plan_detail::make<T>(r, op, root, count, how, in, out, options);
}

}  // namespace gossamer
