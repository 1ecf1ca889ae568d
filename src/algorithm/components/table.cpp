// Engines and options of components.
#include "algorithm/components/kinds.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/components.hpp"

namespace gossamer {

namespace components_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("components",
                                            std::array{sync_kind, async_kind, host_kind, tasks_kind,
                                                       routed_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace components_detail

template <>
algorithm_detail::option_table<components_options> algorithm_detail::make_table() {
  option_table<components_options> table{
      "components",
      components_detail::kinds.infos(),
      {option_of<&components_options::deterministic>(
          {.name = "deterministic", .meaning = "the same labels in every run, as they are"})}};
  append(table.options, worklist_options_of<components_options>());
  append(table.options, message_options<components_options>({"routed", "host"}));
  table.options.push_back(option_of<&components_options::edges>(
      {.name = "edges",
       .choices = {"streamed", "prestaged"},
       .meaning = "handed out by rank 0 in each run, or on their ranks before the clock starts",
       .engines = {"routed"}}));
  append(table.options, placement_options<components_options>());
  append(table.options, spill_option<components_options>());
  return table;
}

}  // namespace gossamer
