// A compiled program on a CPU rank: a distributed worklist whose operator calls the row function.
#include <algorithm>

#include "algorithm/compiled_program/engine.hpp"
#include "algorithm/compiled_program/order_key.hpp"
#include "algorithm/vertex_worklist.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::program_detail {

namespace {

/// Smaller keys win, whatever they stand for; so it is one type for all programs of a width.
template <class Key>
struct compiled_operator {
  using value = Key;
  row_function row;
  const std::byte* weights;  ///< of the graph's arcs; null: none
  program_type type;
  bool larger;

  static bool update(Key& at, const Key& incoming) {
    if (incoming >= at) return false;
    at = incoming;
    return true;
  }
  [[nodiscard]] double priority(const Key& at) const { return priority_of(at, type, larger); }
  void propagate_row(const Key& from, std::int64_t degree, edge_offset first, std::int64_t arcs,
                     Key* out) const {
    row(&from, degree,
        weights == nullptr ? nullptr : weights + first * static_cast<edge_offset>(sizeof(Key)),
        arcs, out);
  }
};

template <class Id, class Key>
using list_of =
    algorithm_detail::vertex_worklist<compiled_operator<Key>, Id, no_weight, ownership_view>;

template <class Id, class Key>
class worklist_rank final : public program_rank<Key> {
 public:
  worklist_rank(const compiled_program& program, const program_rows<Id>& rows, double delta)
      : begin_(rows.first()),
        end_(rows.last()),
        list_({program.row, static_cast<const std::byte*>(rows.weights), program.type,
               program.larger},
              weighted_rows<Id>{end_ - begin_, rows.slice().offsets, rows.slice().columns, nullptr},
              rows.graph.owners().view(), rows.rank,
              algorithm_detail::capacities(rows.graph.bounds()), rows.graph.bounds().back(),
              algorithm_detail::named_worklist("vertex program", delta)) {}

  program_outcome run(rank& r, const Key* initial, std::span<const std::int64_t> active, bool,
                      Key* keys) override {
    const double from = r.clock();
    {
      const trace_span span(r, "propagate");
      // Every process knows all initial values: of others' vertices, too, only better ones go off.
      list_.begin_each(r, [&](std::int64_t v) { return initial[v]; });
      for (const std::int64_t v : active)
        if (begin_ <= v && v < end_) list_.start(static_cast<Id>(v));
      list_.run();
    }
    for (std::int64_t v = begin_; v < end_; ++v) keys[v] = list_[v];
    r.charge(static_cast<double>(end_ - begin_) * 2 * sizeof(Key), 0);
    const worklist_counters& work = list_.counters();
    return {work,
            work.arcs,
            work.windows,
            r.clock() - from,
            list_.traffic().sending,
            list_.traffic().waiting};
  }

 private:
  std::int64_t begin_, end_;  ///< own ids
  list_of<Id, Key> list_;
};

template <class Id, class Key>
program_bytes bytes_of(const planned_rows& rows, int self) {
  using list = list_of<Id, Key>;
  return {0, list::bytes(self, algorithm_detail::capacities(rows.bounds), rows.ids()),
          list::window_bytes(rows.ranks())};
}

}  // namespace

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_worklist(const compiled_program& program,
                                                 const program_rows<Id>& rows, double delta) {
  return std::make_unique<worklist_rank<Id, Key>>(program, rows, delta);
}

program_bytes worklist_bytes(const planned_rows& rows, int self, int id_width, int key_bytes) {
  if (id_width == 4)
    return key_bytes == 4 ? bytes_of<vertex32, std::uint32_t>(rows, self)
                          : bytes_of<vertex32, std::uint64_t>(rows, self);
  return key_bytes == 4 ? bytes_of<vertex64, std::uint32_t>(rows, self)
                        : bytes_of<vertex64, std::uint64_t>(rows, self);
}

#define GOSSAMER_INSTANTIATE(Id, Key)                                                \
  template std::unique_ptr<program_rank<Key>> make_worklist(const compiled_program&, \
                                                            const program_rows<Id>&, double);
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::uint64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::program_detail
