// Engines and options of betweenness.
#include "algorithm/betweenness/kinds.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/betweenness.hpp"

namespace gossamer {

namespace betweenness_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("betweenness", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace betweenness_detail

template <>
algorithm_detail::option_table<betweenness_options> algorithm_detail::make_table() {
  return {"betweenness",
          betweenness_detail::kinds.infos(),
          {option_of<&betweenness_options::edges>(
               {.name = "edges", .meaning = "scores of edges, in place of vertices"}),
           option_of<&betweenness_options::normalized>(
               {.name = "normalized",
                .meaning = "scores are shares of all pairs; otherwise numbers of pairs"}),
           option_of<&betweenness_options::endpoints>(
               {.name = "endpoints", .meaning = "a path's ends are on it, too"}),
           option_of<&betweenness_options::samples>(
               {.name = "samples",
                .least = 0,
                .meaning = "sources that are drawn, for an estimate; 0: all vertices"}),
           option_of<&betweenness_options::seed>(
               {.name = "seed", .least = 0, .meaning = "of the draw"}),
           memory_option<betweenness_options>()}};
}

}  // namespace gossamer
