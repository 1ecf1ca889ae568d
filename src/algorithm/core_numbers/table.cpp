// Engines and options of core numbers.
#include "algorithm/core_numbers/kinds.hpp"
#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/core_numbers.hpp"

namespace gossamer {

namespace core_numbers_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("core_numbers", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace core_numbers_detail

template <>
algorithm_detail::option_table<core_numbers_options> algorithm_detail::make_table() {
  return {
      "core_numbers", core_numbers_detail::kinds.infos(), {memory_option<core_numbers_options>()}};
}

}  // namespace gossamer
