// One rank of components by tasks: its forest, and the tasks that work on it (tasks.cpp says what
// they add up to).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/components/sync/hook.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/rank_objects.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::components_detail {

template <class Id>
class task_forest {
 public:
  using peers = algorithm_detail::rank_objects<task_forest>;

  /// `g` must outlive it.
  task_forest(const placed_graph& g, int rank);

  /// Every vertex is alone; `parents` has one of each.
  void begin(std::span<Id> parents);
  /// Runs, of all ranks together: join the first arcs of own rows; all arcs but those, of own
  /// rows outside the component of `skip`; find out which roots are which.
  void join_first(const peers& all);
  void join_rest(const peers& all, std::int64_t from, Id skip);
  void follow_roots(const peers& all);
  /// After follow_roots(): every own vertex's parent is its component's smallest vertex.
  void compress();
  [[nodiscard]] Id label(std::int64_t v) const { return parents_[static_cast<std::size_t>(v)]; }
  /// Arcs looked at.
  [[nodiscard]] std::int64_t arcs() const noexcept { return arcs_; }

  /// Arcs of each row that are joined first.
  static constexpr std::int64_t first_arcs = 2;
  /// What it takes of a rank with `rows` of so many vertices.
  static algorithm_detail::listed_bytes bytes(std::int64_t vertices, std::int64_t rows, int ranks);

 private:
  /// "`high`, yours, and `low` are connected".
  struct joined {
    Id high, low;
    void operator()(task_forest& owner) const { owner.take(high, low); }
    void prefetch(const task_forest& owner) const { owner.fetch(high); }
  };
  /// "What is the root of `vertex`, yours?"
  struct root_of {
    Id vertex;
    Id operator()(task_forest& owner) const { return owner.root(vertex); }
    void prefetch(const task_forest& owner) const { owner.fetch(vertex); }
  };

  void fetch(Id v) const { __builtin_prefetch(&parents_[static_cast<std::size_t>(v)], 1); }
  Id root(Id v);
  void join(Id u, Id v);
  void take(Id high, Id low);
  void list_roots();
  void join_row(std::int64_t v, edge_offset first, edge_offset last);
  template <class Make>
  task<> several(int tasks, Make make);
  task<> sample(const peers& all);
  task<> walk(const peers& all, std::int64_t from, Id skip);
  task<> tell(const peers& all);
  task<> follow(const peers& all);

  own_rows<Id> rows_;
  ownership_view owners_;
  int rank_;
  std::span<Id> parents_;
  std::int64_t next_ = 0;  ///< row, or entry of list_, that a task takes next
  struct arrays {
    /// Others' roots that got a parent and whose owners are not told yet; then others' roots to ask
    /// about. Each of them at most once.
    shared_array<Id> roots;
    shared_array<std::uint64_t> listed;  ///< a bit each vertex

    void list(algorithm_detail::array_list& of, std::int64_t vertices, std::int64_t rows) {
      of.add(roots, vertices - rows);
      of.add(listed, vertices / 64 + 1);
    }
  };
  arrays arrays_;
  std::int64_t told_ = 0, list_end_ = 0;
  bool telling_ = false;
  const peers* all_ = nullptr;  ///< while there is a run
  std::int64_t arcs_ = 0;
};

}  // namespace gossamer::components_detail
