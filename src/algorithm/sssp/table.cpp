// Engines and options of sssp.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/sssp/kinds.hpp"
#include "gossamer/algorithm/sssp.hpp"

namespace gossamer {

namespace sssp_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("sssp", std::array{sync_kind, async_kind, host_kind,
                                                               tasks_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace sssp_detail

template <>
algorithm_detail::option_table<sssp_options> algorithm_detail::make_table() {
  option_table<sssp_options> table{
      "sssp",
      sssp_detail::kinds.infos(),
      {option_of<&sssp_options::delta>(
           {.name = "delta",
            .unit = "unit of weights",
            .meaning = "width of a bucket, or of the worklist's first window; without it chosen"}),
       option_of<&sssp_options::parents>(
           {.name = "parents", .meaning = "find a tree of shortest paths, too"}),
       option_of<&sssp_options::deterministic>(
           {.name = "deterministic", .meaning = "the same parents in every run, as they are"})}};
  append(table.options, worklist_options_of<sssp_options>());
  append(table.options, message_options<sssp_options>({"host"}));
  append(table.options, placement_options<sssp_options>());
  append(table.options, spill_option<sssp_options>());
  return table;
}

}  // namespace gossamer
