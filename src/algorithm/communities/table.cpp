// Engines and options of communities.
#include "algorithm/communities/kinds.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/communities.hpp"

namespace gossamer {

namespace communities_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("communities", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace communities_detail

template <>
algorithm_detail::option_table<communities_options> algorithm_detail::make_table() {
  return {"communities",
          communities_detail::kinds.infos(),
          {option_of<&communities_options::method>(
               {.name = "method",
                .choices = {"louvain", "leiden"},
                .meaning = "communities become the next level's vertices, or parts of them that "
                           "are joined well: then communities are connected"}),
           option_of<&communities_options::resolution>(
               {.name = "resolution", .least = 0, .meaning = "more of it, smaller communities"}),
           option_of<&communities_options::seed>(
               {.name = "seed", .least = 0, .meaning = "draws which vertices move together"}),
           option_of<&communities_options::iterations>(
               {.name = "iterations",
                .least = 1,
                .meaning = "beginnings, each from the communities before; one that changes "
                           "nothing is the last"}),
           memory_option<communities_options>()}};
}

}  // namespace gossamer
