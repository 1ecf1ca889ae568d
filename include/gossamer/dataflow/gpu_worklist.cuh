// gpu_worklist: a user's own algorithm on the distributed worklist of GPUs. For .cu files; the form
// for CPU ranks is algorithm/vertex_worklist.hpp. docs/cuda.md has a whole program.
//
// Values lie at vertices and improve along arcs until nothing improves anywhere. One kernel a GPU
// does all of it: no levels, no host between rounds, no rank that waits for another while it has
// work (docs/design/worklist.md). An algorithm is two small structs of device functions.
//
//   struct my_operator {                             // trivially copyable; may hold pointers
//     using value = …;                               // 4 or 8 bytes, trivially copyable
//     // Keeps the better of both at `at`; whether that changed.
//     __device__ bool update(value& at, const value& incoming) const;
//     // What goes out along an arc {from, to, weight} (dataflow/weighted_rows.hpp).
//     template <class Arc> __device__ value propagate(const value& from, const Arc&) const;
//     __device__ double priority(const value&) const;   // smaller is sooner, a hint
//     // Optional, true: of two values the one that is smaller as an unsigned word of its bytes is
//     // the better one. Then one atomicMin replaces a loop around update().
//     static constexpr bool smaller_word_wins = …;
//   };
//   struct my_start {
//     __device__ value initial(std::int32_t vertex) const;  // of every vertex, also others' own
//     __device__ bool starts(std::int32_t vertex) const;    // own ones: whether it is work
//     __device__ value first(std::int32_t vertex) const;    // … and what it is offered then
//   };
//
// What must hold:
// - update() takes the better value by one total order, in whatever order values come and however
//   often. It sees a copy: no other effects.
// - A better value never goes out as a worse one, and no cycle improves on itself. Else the result
//   depends on the order of work, or the run goes on until it is cancelled (run_options::cancel).
// - initial() of another rank's vertex is not better than what its owner begins with: what is not
//   better than initial() is not sent there.
//
// Groute's five callbacks. A rank keeps a copy of every vertex's value. Where the copy of another
// rank's vertex improves, it is sent to the owner somewhat later, with the newest value. A message
// is a vertex and a value, and merges by update(). So an operator implies the callbacks, but it may
// have its own:
//
//     using message = …;                                          // 4 or 8 bytes
//     __device__ message pack(std::int32_t vertex, const value&) const;       // as it goes off
//     __device__ value unpack(std::int32_t vertex, const message&) const;     // where it arrives
//     // Whether an improvement of another rank's vertex is sent. Asked once for each.
//     __device__ bool on_send(std::int32_t vertex, const value&) const;
//     // In place of update() for what was received.
//     __device__ bool on_receive(std::int32_t vertex, value& at, const value& incoming) const;
//
// Callbacks that are absent cost nothing. Messages are not passed on: every pair of GPUs is direct.
//
// Sums are added up, and emptied by whoever takes them, such as PageRank's residuals. How they work
// is at the head of worklist/cuda/sums.cuh. They have no update() and no callbacks, but
//
//     using value = double;
//     static constexpr bool sums = true;
//     // 0: not worth work; else how much it is worth. Grows with the sum.
//     __device__ int level(std::int64_t vertex, double sum) const;
//     __device__ double priority(int level) const;
//     // Of an own row, numbered from 0, whose sum was taken: what goes out along each arc.
//     __device__ double leave(std::int64_t row, double taken) const;
//     template <class Arc> __device__ double propagate(double out, const Arc&) const;
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist/cuda/engine.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::dataflow {

namespace cuda {

/// Whether the callbacks that an operator names have the form in which they are called.
template <class Operator>
constexpr bool callbacks_fit() {
  using value = typename Operator::value;
  bool fit = true, any = has_message<Operator>;
  if constexpr (has_message<Operator>) {
    using message = typename Operator::message;
    fit = std::is_trivially_copyable_v<message> && (sizeof(message) == 4 || sizeof(message) == 8) &&
          requires(const Operator& by, std::int32_t vertex, const value& v, const message& m) {
      message(by.pack(vertex, v));
      value(by.unpack(vertex, m));
    };
  }
  if constexpr (requires { &Operator::on_send; }) any = true, fit = fit && has_on_send<Operator>;
  if constexpr (requires { &Operator::on_receive; })
    any = true, fit = fit && has_on_receive<Operator>;
  return fit && !(any && is_sum<Operator>);
}

}  // namespace cuda

struct gpu_worklist_options {
  std::string name = "worklist";  ///< what errors call it
  /// Width of the first window of priorities: what lies beyond is put off until nothing else is
  /// left anywhere. 0: first come, first served.
  double delta = 0;
  /// A window that holds little is followed by a wider one, and one that holds too much is cut
  /// short. False: all are as wide as the first.
  bool adapt = true;
};

/// One rank's part. Made outside runs, for every rank of the machine alike, then used in any number
/// of runs. Weight: the type of an arc's weight as the operator sees it, of 4 or 8 bytes, or
/// no_weight.
template <class Operator, class Start, class Weight = no_weight>
class gpu_worklist {
 public:
  using value = typename Operator::value;

  /// Rank `self` of `m` owns the vertices bounds[self] … bounds[self + 1] - 1. `rows` are theirs:
  /// CSR arrays in host memory or in a GPU's, with columns numbered through all ranks. What lies in
  /// this rank's GPU and needs no change (offsets; columns of 32 bits without weights) is used
  /// there and has to stay; the rest is copied. Throws usage_error for a rank that is not a GPU of
  /// this process, for more than eight ranks, for more than 2^31 - 1 vertices, and for bounds that
  /// do not fit; capacity_error without the memory.
  template <class Id, class HostWeight>
  gpu_worklist(const machine& m, int self, const std::vector<std::int64_t>& bounds,
               const weighted_rows<Id, HostWeight>& rows, const Operator& by = {},
               const gpu_worklist_options& options = {})
      : machine_(&m), name_(options.name), self_(self) {
    check(m, bounds, rows.rows);
    const current_device here(m[self].ordinal);
    rows_ = std::make_unique<cuda::csr_rows<Weight>>(m[self], rows);
    const bool short_rows = has_short_rows(rows.rows, rows_->rows().count, rows_->longest());
    engine_ = std::make_unique<engine>(name_, m[self], by, rows_->rows(), bounds, self,
                                       options.delta, short_rows);
    if (options.adapt && cuda::is_sum<Operator>)
      engine_->widen_windows();
    else if (options.adapt)
      engine_->adapt_windows();
    first_ = bounds[static_cast<std::size_t>(self)];
    count_ = bounds[static_cast<std::size_t>(self) + 1] - first_;
    window_bytes_ = static_cast<std::size_t>(
        cuda::list_bytes(engine::sizes(bounds, self, rows_->rows().count)).windows);
  }
  /// The same for a graph that was placed (placed_graph of placement/placed_graph.hpp): vertices
  /// are placed ids. `weights`: of the slice's arcs, on the host (placement/slice_weights.hpp).
  template <class Placed, class HostWeight = no_weight>
  requires requires(const Placed& placed) { placed.bounds(), placed.on(), placed.id_width(); }
  gpu_worklist(const Placed& placed, int self, const Operator& by = {},
               const gpu_worklist_options& options = {}, const HostWeight* weights = nullptr)
      : gpu_worklist(placed.id_width() == 4
                         ? gpu_worklist(placed.on(), self, placed.bounds(),
                                        rows_of<vertex32>(placed, self, weights), by, options)
                         : gpu_worklist(placed.on(), self, placed.bounds(),
                                        rows_of<vertex64>(placed, self, weights), by, options)) {}

  /// What a run needs of this rank's memories: run_options::arenas has one of these a rank.
  [[nodiscard]] arena_plan arena() const {
    arena_plan plan;
    (machine_->all_direct() ? plan.native : plan.host) += window_bytes_;
    return plan;
  }

  /// Collective, once in a machine::run, by the rank it was made for: works from `start` until no
  /// rank has anything left. Returns the seconds that this rank's GPU took. rank_error when another
  /// rank failed or the run's deadline passed without progress; usage_error where kernels of this
  /// machine's ranks cannot wait for each other.
  double run(rank& r, const Start& start) {
    require(r.id() == self_ && r.size() == machine_->size(),
            name_ + ": made for rank " + std::to_string(self_) + " of " +
                std::to_string(machine_->size()) + ", run by rank " + std::to_string(r.id()) +
                " of " + std::to_string(r.size()));
    engine_->begin(r);
    return engine_->run(r, start);
  }

  /// Own vertices: first() … first() + size() - 1.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  [[nodiscard]] std::int64_t size() const noexcept { return count_; }
  /// [size()] their values in the GPU's memory, final when all ranks have returned from run().
  [[nodiscard]] const value* values() const { return engine_->own_values(); }
  /// The same to `to`, in any memory.
  void download(value* to) const { engine_->download(to); }
  /// Of this rank's last run.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return engine_->counters(); }
  /// Sums: what this rank knows of and did not take.
  [[nodiscard]] double left() const noexcept { return engine_->left(); }

 private:
  using engine = cuda::worklist_engine<Operator, Weight, Start>;

  static_assert(std::is_trivially_copyable_v<value> && (sizeof(value) == 4 || sizeof(value) == 8),
                "Operator::value has 4 or 8 bytes and is trivially copyable");
  static_assert(std::is_trivially_copyable_v<Operator> && std::is_trivially_copyable_v<Start> &&
                    std::is_default_constructible_v<Operator>,
                "operators and starts are copied to GPUs as they are");
  static_assert(std::is_same_v<Weight, no_weight> || (std::is_trivially_copyable_v<Weight> &&
                                                      (sizeof(Weight) == 4 || sizeof(Weight) == 8)),
                "weights have 4 or 8 bytes");
  static_assert(cuda::callbacks_fit<Operator>(),
                "a callback of the operator has another form than gpu_worklist.cuh says, or is "
                "one of sums, which have none");

  void check(const machine& m, const std::vector<std::int64_t>& bounds, std::int64_t rows) const {
    require(self_ >= 0 && self_ < m.size(),
            name_ + ": the machine has no rank " + std::to_string(self_));
    for (int r = 0; r < m.size(); ++r)
      require(m[r].is_cuda() && m[r].process < 0,
              name_ + ": rank " + std::to_string(r) + " is " + m[r].name +
                  "; a worklist on GPUs needs GPUs of one process (cuda)");
    require(bounds.size() == static_cast<std::size_t>(m.size()) + 1 && bounds.front() == 0,
            name_ + ": bounds are 0 and the end of each rank's vertices");
    for (std::size_t r = 1; r < bounds.size(); ++r)
      require(bounds[r - 1] <= bounds[r], name_ + ": bounds must ascend");
    const auto me = static_cast<std::size_t>(self_);
    require(bounds[me + 1] - bounds[me] <= rows,
            name_ + ": rank " + std::to_string(self_) + " owns more vertices than it has rows");
  }
  template <class Id, class Placed, class HostWeight>
  static weighted_rows<Id, HostWeight> rows_of(const Placed& placed, int self,
                                               const HostWeight* weights) {
    const auto& slice = placed.template slice<Id>(self);
    return {slice.rows, slice.offsets, slice.columns, weights};
  }

  const machine* machine_;
  std::string name_;
  int self_;
  std::int64_t first_ = 0, count_ = 0;
  std::size_t window_bytes_ = 0;
  std::unique_ptr<cuda::csr_rows<Weight>> rows_;
  std::unique_ptr<engine> engine_;
};

/// What run_options::arenas must be for a run of all of `lists`, one a rank.
template <class List>
std::vector<arena_plan> arenas_of(const std::vector<List>& lists) {
  std::vector<arena_plan> all;
  for (const List& l : lists) all.push_back(l.arena());
  return all;
}

}  // namespace gossamer::dataflow
