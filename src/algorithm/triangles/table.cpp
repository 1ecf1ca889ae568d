// Engines and options of triangles.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/triangles/kinds.hpp"
#include "gossamer/algorithm/triangles.hpp"

namespace gossamer {

namespace triangles_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("triangles", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace triangles_detail

template <>
algorithm_detail::option_table<triangles_options> algorithm_detail::make_table() {
  return {"triangles",
          triangles_detail::kinds.infos(),
          {option_of<&triangles_options::weighted>(
               {.name = "weighted",
                .meaning = "a triangle is worth the product of the cube roots of its edges' "
                           "weights over the largest"}),
           memory_option<triangles_options>()}};
}

}  // namespace gossamer
