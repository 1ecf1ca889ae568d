// Engines and options of strong components.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/strong_components/kinds.hpp"
#include "gossamer/algorithm/strong_components.hpp"

namespace gossamer {

namespace strong_components_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("strong_components", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace strong_components_detail

template <>
algorithm_detail::option_table<strong_components_options> algorithm_detail::make_table() {
  return {"strong_components",
          strong_components_detail::kinds.infos(),
          {memory_option<strong_components_options>()}};
}

}  // namespace gossamer
