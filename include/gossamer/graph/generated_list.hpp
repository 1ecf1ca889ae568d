// A generator's edge list held apart from the graph that is made of it.
//
// Graph500 hands the list of edges over as data and times what is built from it. Its count of
// traversed edges is of that list, with duplicates and self-loops, which a simple graph no longer
// has. build_list(generate_list(s)) is generate(s), the same bytes.
#pragma once

#include <cstdint>
#include <stop_token>
#include <variant>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/generators.hpp"

namespace gossamer {

/// All entries of a spec's edge list, in order, in host memory, with ids as wide as the graph's.
class generated_list {
 public:
  /// Makes the list on options.threads threads. usage_error for a spec without a list,
  /// capacity_error when list and graph together (plan_generate) do not fit, cancelled_error on a
  /// stop.
  generated_list(generator_spec spec, const generate_options& options);

  [[nodiscard]] const generator_spec& spec() const noexcept { return spec_; }
  /// Entries, those that a road leaves out not among them; 0 once a graph was built from it.
  [[nodiscard]] std::int64_t edges() const;
  /// [vertices]: how many entries have this vertex as their first end. The sum over the vertices of
  /// a component is the number of entries inside it: every entry counts once, at one of its ends.
  [[nodiscard]] shared_array<std::int64_t> count_by_source(int threads = 0,
                                                           const std::stop_token& stop = {}) const;

 private:
  friend graph build_list(generated_list&& list, const generate_options& options);
  generator_spec spec_;
  std::variant<edge_chunks<vertex32>, edge_chunks<vertex64>> chunks_;
};

/// The graph of a list, which is consumed: its memory goes back while the graph grows. Options as
/// those of generate(); `device` has no meaning here.
graph build_list(generated_list&& list, const generate_options& options = {});

}  // namespace gossamer
