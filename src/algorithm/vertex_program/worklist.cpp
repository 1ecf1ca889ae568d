// A compiled program on a CPU rank: a distributed worklist whose operator calls the row function.
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/vertex_program/engine.hpp"
#include "algorithm/vertex_program/order_key.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::program_detail {

namespace {

/// The row function of a program, on keys or on what is kept as it is.
struct compiled_row {
  row_function row;
  const std::byte* weights;  ///< of the graph's arcs; null: none
  int weight_bytes;

  void run(const void* from, std::int64_t degree, edge_offset first, std::int64_t arcs,
           void* out) const {
    row(from, degree, weights == nullptr ? nullptr : weights + first * weight_bytes, arcs, out);
  }
  /// All lines: the row function does nothing else while it waits for one.
  [[gnu::always_inline]] void fetch(edge_offset begin, edge_offset end) const {
    if (weights == nullptr) return;
    for (const std::byte* at = weights + begin * weight_bytes; at < weights + end * weight_bytes;
         at += 64)
      __builtin_prefetch(at);
  }
};

/// Smaller keys win, whatever they stand for; so it is one type for all programs of a width.
template <class Key>
struct compiled_operator {
  using value = Key;
  compiled_row row;
  program_type type;
  bool larger;

  static bool update(Key& at, const Key& incoming) {
    if (incoming >= at) return false;
    at = incoming;
    return true;
  }
  /// Keys of short integers are as far from each other as the values, so that windows are as wide.
  [[nodiscard]] double priority(const Key& at) const {
    if (sizeof(Key) == 4 && type != program_type::float32) return static_cast<double>(at);
    return decoded(at, type, larger);
  }
  /// Apart, so that what queues an item stays short.
  [[gnu::noinline]] static double decoded(Key at, program_type type, bool larger) {
    return priority_of(at, type, larger);
  }
  void propagate_row(const Key& from, std::int64_t degree, edge_offset first, std::int64_t arcs,
                     Key* out) const {
    row.run(&from, degree, first, arcs, out);
  }
  [[gnu::always_inline]] void fetch_row(edge_offset begin, edge_offset end) const {
    row.fetch(begin, end);
  }
};

/// Bits are gathered.
template <class Key>
struct bits_together {
  using value = Key;
  compiled_row row;

  static bool update(Key& at, const Key& incoming) {
    const Key all = at | incoming;
    if (all == at) return false;
    at = all;
    return true;
  }
  static double priority(const Key&) { return 0; }
  void propagate_row(const Key& from, std::int64_t degree, edge_offset first, std::int64_t arcs,
                     Key* out) const {
    row.run(&from, degree, first, arcs, out);
  }
  [[gnu::always_inline]] void fetch_row(edge_offset begin, edge_offset end) const {
    row.fetch(begin, end);
  }
};

/// What came to a vertex: what it has passed on, and what waits for the threshold.
struct pushed_sum {
  double passed = 0, waiting = 0;
};

/// Sums are taken by who passes them on.
struct sums_pushed {
  using value = pushed_sum;
  compiled_row row;
  double threshold;

  [[nodiscard]] bool update(pushed_sum& at, const pushed_sum& incoming) const {
    at.waiting += incoming.waiting;
    return at.waiting >= threshold;
  }
  static pushed_sum take(pushed_sum& at) {
    const double taken = at.waiting;
    at.passed += taken;
    at.waiting = 0;
    return {0, taken};
  }
  /// Less is sooner: one for each halving. What is not negative has no sign bit.
  [[nodiscard]] double priority(const pushed_sum& at) const {
    return -static_cast<double>(std::bit_cast<std::uint64_t>(at.waiting / threshold) >> 52);
  }
  void propagate_row(const pushed_sum& from, std::int64_t degree, edge_offset first,
                     std::int64_t arcs, pushed_sum* out) const {
    constexpr std::int64_t most = 64;
    std::array<double, most> some;
    for (std::int64_t done = 0; done < arcs; done += most) {
      const std::int64_t n = std::min(most, arcs - done);
      row.run(&from.waiting, degree, first + done, n, some.data());
      for (std::int64_t i = 0; i < n; ++i) out[done + i] = {0, some[static_cast<std::size_t>(i)]};
    }
  }
  [[gnu::always_inline]] void fetch_row(edge_offset begin, edge_offset end) const {
    row.fetch(begin, end);
  }
};

template <class Operator, class Id>
using list_of = vertex_worklist<Operator, Id, no_weight, ownership_view>;

template <class Id, class Key, class Operator>
class worklist_rank final : public program_rank<Key> {
 public:
  worklist_rank(const Operator& by, const program_rows<Id>& rows, double delta)
      : begin_(rows.first()),
        end_(rows.last()),
        ids_(rows.graph.bounds().back()),
        list_(by,
              weighted_rows<Id>{end_ - begin_, rows.slice().offsets, rows.slice().columns, nullptr},
              rows.graph.owners().view(), rows.rank,
              algorithm_detail::capacities(rows.graph.bounds()), rows.graph.bounds().back(),
              algorithm_detail::named_worklist(rows.graph.on(), "vertex program", delta)) {}

  algorithm_detail::worklist_outcome run(rank& r, const Key* initial,
                                         std::span<const std::int64_t> active, bool,
                                         Key* keys) override {
    algorithm_detail::worklist_outcome out;
    const double from = r.clock();
    {
      const trace_span span(r, "propagate");
      begin(r, initial, active);
      list_.run();
    }
    finish(keys, out);
    r.charge(static_cast<double>(end_ - begin_) * 2 * sizeof(Key), 0);
    out.work = list_.counters();
    out.exchange = list_.traffic().sending;
    out.agree = list_.traffic().waiting;
    out.seconds = r.clock() - from;
    return out;
  }

 private:
  static constexpr bool sums = std::is_same_v<Operator, sums_pushed>;

  void begin(rank& r, const Key* initial, std::span<const std::int64_t> active) {
    if constexpr (sums) {
      list_.begin(r, {});
      for (std::int64_t v = begin_; v < end_; ++v)
        list_.start(static_cast<Id>(v), {0, std::bit_cast<double>(initial[v])});
    } else {
      // Every process knows all initial values: of others' vertices, too, only better ones go off.
      list_.begin_each(r, [&](std::int64_t v) { return initial[v]; });
      for (const std::int64_t v : active)
        if (begin_ <= v && v < end_) list_.start(static_cast<Id>(v));
    }
  }
  void finish(Key* keys, algorithm_detail::worklist_outcome& out) const {
    if constexpr (sums) {
      for (std::int64_t v = begin_; v < end_; ++v)
        keys[v] = std::bit_cast<Key>(list_[v].passed + list_[v].waiting);
      for (std::int64_t v = 0; v < ids_; ++v) out.left += list_[v].waiting;
    } else {
      for (std::int64_t v = begin_; v < end_; ++v) keys[v] = list_[v];
    }
  }

  std::int64_t begin_, end_, ids_;  ///< own ids; all
  list_of<Operator, Id> list_;
};

template <class Operator, class Id>
void declare_list(algorithm_detail::memory_layout& l, const machine& m, const planned_rows& rows,
                  int self) {
  using list = list_of<Operator, Id>;
  const auto how = algorithm_detail::named_worklist(m, "vertex program", 1);
  l.own(self, "known values and worklists",
        list::bytes(self, algorithm_detail::capacities(rows.bounds), rows.ids(), how));
  l.window(self, "inbox", list::window_bytes(rows.ranks(), how));
}

template <class Id>
auto declare_of(const vertex_program& program) {
  if (program.update == program_update::sum) return declare_list<sums_pushed, Id>;
  if (value_bytes(program.type) == 4) return declare_list<compiled_operator<std::uint32_t>, Id>;
  return declare_list<compiled_operator<std::uint64_t>, Id>;
}

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_worklist(const vertex_program& program,
                                                 const program_rows<Id>& rows, double delta) {
  const compiled_row row{program.row, static_cast<const std::byte*>(rows.weights), sizeof(Key)};
  switch (program.update) {
    case program_update::all_bits:
      return std::make_unique<worklist_rank<Id, Key, bits_together<Key>>>(bits_together<Key>{row},
                                                                          rows, delta);
    case program_update::sum:
      if constexpr (sizeof(Key) == sizeof(double))
        return std::make_unique<worklist_rank<Id, Key, sums_pushed>>(
            sums_pushed{row, program.threshold}, rows, delta);
      [[fallthrough]];  // sums are doubles
    default:
      return std::make_unique<worklist_rank<Id, Key, compiled_operator<Key>>>(
          compiled_operator<Key>{row, program.type, program.update == program_update::larger}, rows,
          delta);
  }
}

void declare_worklist(algorithm_detail::memory_layout& l, const machine& m,
                      const planned_rows& rows, int self, int id_width,
                      const vertex_program& program) {
  (id_width == 4 ? declare_of<vertex32> : declare_of<vertex64>)(program)(l, m, rows, self);
}

#define GOSSAMER_INSTANTIATE(Id, Key)                                              \
  template std::unique_ptr<program_rank<Key>> make_worklist(const vertex_program&, \
                                                            const program_rows<Id>&, double);
GOSSAMER_PROGRAM_TYPES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::program_detail
