// Engines and options of distances.
#include "algorithm/distances/kinds.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/distances.hpp"

namespace gossamer {

namespace distances_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("distances", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace distances_detail

template <>
algorithm_detail::option_table<distances_options> algorithm_detail::make_table() {
  return {"distances",
          distances_detail::kinds.infos(),
          {option_of<&distances_options::measure>(
               {.name = "measure",
                .choices = {"sums", "eccentricity", "diameter"},
                .meaning = "numbers of each source, its eccentricity alone, or the largest one"}),
           option_of<&distances_options::inward>(
               {.name = "inward",
                .meaning = "distances to the sources, against arcs, in place of those from them"}),
           memory_option<distances_options>()}};
}

}  // namespace gossamer
