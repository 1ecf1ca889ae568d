// Engines and options of spanning forests.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/spanning_forest/kinds.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"

namespace gossamer {

namespace spanning_forest_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("spanning_forest", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace spanning_forest_detail

template <>
algorithm_detail::option_table<spanning_forest_options> algorithm_detail::make_table() {
  return {"spanning_forest",
          spanning_forest_detail::kinds.infos(),
          {memory_option<spanning_forest_options>()}};
}

}  // namespace gossamer
