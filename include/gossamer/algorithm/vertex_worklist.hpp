// vertex_worklist: a user's own algorithm on CPU ranks, one object a rank. The operator is that of
// dataflow/operator_worklist.hpp; docs/cpp.md has a whole program. On GPUs: gpu_worklist.cuh.
//
//   using list = vertex_worklist<my_operator, vertex32, std::int32_t>;
//   run_options how;
//   how.arenas = {list::arena(placed)};
//   m.run([&](rank& r) {
//     list mine(placed, r.id());                     // takes the graph's weights, if it has any
//     mine.begin(r, value_of_all);
//     if (mine.owns(v)) mine.start(v, first_value);  // placed ids
//     mine.run();                                    // until no rank has anything left
//     for (auto u = mine.first(); u < mine.first() + mine.size(); ++u) use(mine[u]);
//   }, how);
//
// A vertex waits at most once in each list. So a list for rank r with as many places as r has
// vertices never overflows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shared_array.hpp"
#include "gossamer/dataflow/operator_worklist.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer {

/// Weight: what arcs have, or no_weight.
template <class Operator, class Id, class Weight = no_weight, class Owners = ownership_view>
class vertex_worklist {
 public:
  using program = operator_worklist<Operator, Id, Weight, Owners>;
  using value = typename Operator::value;

  /// Of rank `self` of the machine on which `g` was placed; `g` must outlive it. Weights are those
  /// of the graph. usage_error for a rank that is a GPU or in another process, for ids of another
  /// width, and where the graph has no weights of this type.
  vertex_worklist(
      const placed_graph& g, int self, const Operator& by = {},
      const worklist_options& options = {}) requires std::is_same_v<Owners, ownership_view>
      : vertex_worklist(g, self, by, weights_of(g, self, options.name), options) {}

  /// The same by parts. `capacity[r]`: vertices of rank r; `placed`: placed ids in all.
  vertex_worklist(const Operator& by, const weighted_rows<Id, Weight>& rows, Owners owners,
                  int self, const std::vector<std::int64_t>& capacity, std::int64_t placed,
                  const worklist_options& options)
      : values_(by, rows, std::move(owners), self, static_cast<int>(capacity.size()), placed),
        work_(values_, self, capacity, options) {}
  vertex_worklist(const vertex_worklist&) = delete;  // the list knows where its program is
  vertex_worklist& operator=(const vertex_worklist&) = delete;
  ~vertex_worklist() = default;

  /// Bytes of the constructor by parts, given the same.
  static std::int64_t bytes(int self, const std::vector<std::int64_t>& capacity,
                            std::int64_t placed, const worklist_options& options = {}) {
    return program::bytes(placed) + distributed_worklist<program>::bytes(self, capacity, options);
  }
  /// Bytes of begin() in the run's arena, native memory.
  static std::int64_t window_bytes(int ranks, const worklist_options& options = {}) {
    return distributed_worklist<program>::window_bytes(ranks, options);
  }
  /// What a run takes of each rank's memory (run_options::arenas), with room for vertex_values of
  /// `value`.
  static arena_plan arena(const placed_graph& g) {
    const machine& m = g.on();
    return {static_cast<std::size_t>(window_bytes(m.size())),
            static_cast<std::size_t>(4096 + placed_values<value>::bytes(m, g.bounds().back()))};
  }

  /// Collective, inside a run: makes windows, empties lists; the value at v becomes initial(v).
  template <class Initial>
  void begin_each(rank& r, const Initial& initial) {
    values_.clear_each(initial);
    work_.begin(r);
  }
  void begin(rank& r, const value& initial) {
    begin_each(r, [&](Id) { return initial; });
  }
  /// Between begin() and run(): offers `first` to the own vertex `v`.
  void start(Id v, const value& first) { values_.start(work_, v, first); }
  /// The same, with the value that it began with.
  void start(Id v) { work_.push(v); }
  /// Collective: returns when all work of all ranks is done.
  void run() { work_.run(); }

  /// Own vertices, of a placed graph: first() … first() + size() - 1, placed ids.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] bool owns(std::int64_t placed) const noexcept {
    return placed >= first_ && placed < first_ + size_;
  }
  /// Of a placed id; final for own ones after run().
  [[nodiscard]] const value& operator[](std::int64_t placed) const { return values_[placed]; }
  [[nodiscard]] const worklist_counters& counters() const noexcept { return work_.counters(); }
  [[nodiscard]] const parcel_traffic& traffic() const noexcept { return work_.traffic(); }

 private:
  vertex_worklist(const placed_graph& g, int self, const Operator& by, shared_array<Weight> weights,
                  const worklist_options& options)
      : vertex_worklist(by, rows_of(g, self, weights.data()), g.owners().view(), self,
                        sizes_of(g.bounds()), g.bounds().back(), options) {
    weights_ = std::move(weights);
    first_ = g.bounds()[static_cast<std::size_t>(self)];
    size_ = g.bounds()[static_cast<std::size_t>(self) + 1] - first_;
  }
  static shared_array<Weight> weights_of(const placed_graph& g, int self, const std::string& name) {
    const machine& m = g.on();
    require(self >= 0 && self < m.size() && m.here(self),
            name + ": rank " + std::to_string(self) + " is not one of this process");
    require(!m[self].is_cuda(), name + ": rank " + std::to_string(self) + " is " + m[self].name +
                                    "; this worklist is for CPU ranks (gpu_worklist.cuh for GPUs)");
    require(g.id_width() == sizeof(Id), name + ": the ids of " + g.name() + " have " +
                                            std::to_string(8 * g.id_width()) +
                                            " bits, the "
                                            "program's " +
                                            std::to_string(8 * sizeof(Id)));
    if constexpr (std::is_same_v<Weight, no_weight>)
      return {};
    else
      return slice_weights<Id, Weight>(g, self);
  }
  static weighted_rows<Id, Weight> rows_of(const placed_graph& g, int self, const Weight* weights) {
    const auto at = static_cast<std::size_t>(self);
    const auto& slice = g.slice<Id>(self);
    return {g.bounds()[at + 1] - g.bounds()[at], slice.offsets, slice.columns, weights};
  }
  static std::vector<std::int64_t> sizes_of(const std::vector<std::int64_t>& bounds) {
    std::vector<std::int64_t> all;
    for (std::size_t r = 0; r + 1 < bounds.size(); ++r) all.push_back(bounds[r + 1] - bounds[r]);
    return all;
  }

  shared_array<Weight> weights_;  ///< of the graph's; the program has a pointer to them
  std::int64_t first_ = 0, size_ = 0;
  program values_;
  distributed_worklist<program> work_;
};

}  // namespace gossamer
