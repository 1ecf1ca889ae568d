// Engines and options of sssp.
#include "algorithm/driver/tables.hpp"
#include "algorithm/sssp/kinds.hpp"

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

namespace algorithm_detail {

namespace {

option_table<sssp_options> make_sssp_table() {
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
  append(table.options, worklist_options_of<sssp_options>({"async", "host"}, true));
  append(table.options, message_options<sssp_options>({"host"}));
  append(table.options, placement_options<sssp_options>());
  return table;
}

}  // namespace

const option_table<sssp_options>& sssp_table() {
  static const option_table<sssp_options> table = make_sssp_table();
  return table;
}

}  // namespace algorithm_detail

template <>
sssp_options options_from(std::span<const std::pair<std::string, option_value>> named) {
  return algorithm_detail::from_values(algorithm_detail::sssp_table(), named);
}

}  // namespace gossamer
