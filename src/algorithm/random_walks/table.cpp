// Engines and options of random walks.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/random_walks/kinds.hpp"
#include "gossamer/algorithm/random_walks.hpp"

namespace gossamer {

namespace random_walks_detail {

namespace {

constexpr algorithm_detail::kind_list kinds("random_walks", std::array{sync_kind});

}  // namespace

const engine_kind& kind_of(std::string_view name) {
  return kinds.named(name);
}

}  // namespace random_walks_detail

template <>
algorithm_detail::option_table<random_walks_options> algorithm_detail::make_table() {
  return {"random_walks",
          random_walks_detail::kinds.infos(),
          {option_of<&random_walks_options::length>({.name = "length",
                                                     .least = 1,
                                                     .most = 2e9,
                                                     .unit = "steps",
                                                     .meaning = "how long walks are, at most"}),
           option_of<&random_walks_options::walks>(
               {.name = "walks", .least = 1, .meaning = "walks from each source"}),
           option_of<&random_walks_options::seed>(
               {.name = "seed", .least = 0, .meaning = "numbers the walks' random words"}),
           option_of<&random_walks_options::weighted>(
               {.name = "weighted", .meaning = "follow arcs in proportion to their weights"}),
           option_of<&random_walks_options::p>(
               {.name = "p",
                .least = 1e-9,
                .most = 1e9,
                .meaning = "node2vec's p: an arc back to the vertex before counts 1 / p"}),
           option_of<&random_walks_options::q>(
               {.name = "q",
                .least = 1e-9,
                .most = 1e9,
                .meaning = "node2vec's q: an arc to where none leads from the vertex before "
                           "counts 1 / q"}),
           memory_option<random_walks_options>()}};
}

}  // namespace gossamer
