// What searches have in common that are prepared for a graph on a machine: memory is planned and
// refused, rows are laid out, and then they run any number of times.
#pragma once

#include <memory>

#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

namespace algorithm_detail {
/// A search's insides, which its driver in src/algorithm defines.
template <class Search>
struct search_state;
}  // namespace algorithm_detail

/// The base of a search. Each says what its constructor throws beside capacity_error with the plan,
/// and has its own run().
template <class Search, class Options>
class prepared_search {
 public:
  // Searches inherit constructors with their access.
  // NOLINTBEGIN(bugprone-crtp-constructor-accessibility)
  /// The machine must outlive it.
  prepared_search(machine& all, const graph& g, const Options& options = {});
  prepared_search(prepared_search&&) noexcept;
  // NOLINTEND(bugprone-crtp-constructor-accessibility)
  ~prepared_search();
  prepared_search& operator=(prepared_search&&) = delete;

  /// What it takes beside the graph.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph& g,
                                        const Options& options = {});
  /// The same before there is a graph; where weights may come with it, at most.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph_shape& g,
                                        const Options& options = {});
  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A search as the constructor makes it, or one that an earlier call left (placement/kept.hpp);
  /// the caller's alone.
  static std::shared_ptr<Search> prepare(machine& all, const graph& g, const Options& options = {});

 protected:
  using state = algorithm_detail::search_state<Search>;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer
