// Whether a list of arcs in any order holds the mirror of each, before rows are made of it.
//
// Two multisets are equal when sums of a hash over their elements are (Bellare and Micciancio
// 1997). Here they are the arcs and their mirrors, summed as one difference. No memory is taken. A
// difference other than zero proves that some mirror is missing. An unsymmetric list whose
// difference is zero would be a coincidence of 2^-64. The hash is another one in each process, so
// that nobody can write a file that makes the coincidence.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <stop_token>
#include <type_traits>
#include <variant>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/random.hpp"
#include "graph/arc_keys.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {

inline std::uint64_t seed_of_process() {
  static const std::uint64_t seed = [] {
    // Not std::random_device, which would tie wheels to this system's C library.
    std::uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
      throw foreign_error("getrandom: no random numbers", errno, false);
    return random;
  }();
  return seed;
}

/// `source` is one of arc_sources.hpp, which is read and not released. Weights count, too.
template <class Weight, class Source>
bool listed_both_ways(const Source& source, int threads, const std::stop_token& stop) {
  const std::uint64_t seed = seed_of_process();
  return sum_ranges<std::uint64_t>(
             resolve_threads(threads), source.blocks(), 1, stop, "checking symmetry",
             [&](std::int64_t block, std::int64_t, std::uint64_t& all) {
               std::uint64_t sum = 0;
               source.visit(block, [&](std::int64_t u, std::int64_t v, Weight w) {
                 std::uint64_t weight = 0;
                 if constexpr (!std::is_same_v<Weight, std::monostate>)
                   weight = mix64(ordered_bits(w));
                 sum += mirror_difference(seed, u, v, weight);
               });
               all += sum;
             }) == 0;
}

/// The same of a graph's rows.
bool listed_both_ways(const graph& g, const build_options& options);

}  // namespace gossamer::detail
