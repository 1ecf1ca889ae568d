// Engines and options of components.
#include "algorithm/components/kinds.hpp"
#include "algorithm/driver/tables.hpp"

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

namespace algorithm_detail {

namespace {

option_table<components_options> make_components_table() {
  option_table<components_options> table{
      "components",
      components_detail::kinds.infos(),
      {option_of<&components_options::deterministic>(
          {.name = "deterministic", .meaning = "the same labels in every run, as they are"})}};
  append(table.options, worklist_options_of<components_options>({"async"}, false));
  append(table.options, message_options<components_options>({"routed", "host"}));
  append(table.options, placement_options<components_options>());
  return table;
}

}  // namespace

const option_table<components_options>& components_table() {
  static const option_table<components_options> table = make_components_table();
  return table;
}

}  // namespace algorithm_detail

template <>
components_options options_from(std::span<const std::pair<std::string, option_value>> named) {
  return algorithm_detail::from_values(algorithm_detail::components_table(), named);
}

}  // namespace gossamer
