// What a builder did, in the words of graph::steps: the same from the host's and the GPU's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::detail {

/// What becomes of the option symmetrize.
enum class mirroring { none, needless, done };

/// "removed 3 self-loops": an entry of graph::steps.
inline std::string removed_step(std::int64_t count, const std::string& what) {
  return "removed " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// What was counted while rows were made.
struct build_counts {
  std::int64_t self_loops = 0;  ///< arcs (v,v) dropped
  std::int64_t duplicates = 0;  ///< arcs dropped as duplicates
  std::int64_t doubled_pairs =
      0;  ///< pairs of vertices with parallel arcs, where rows are mirrored
};

/// The steps of a build, in their order. `Options`: build_options, or the GPU's builder's.
template <class Options>
std::vector<std::string> build_steps(const build_counts& counts, const Options& options,
                                     mirroring mirrored) {
  std::vector<std::string> steps;
  if (mirrored == mirroring::done) {
    const std::int64_t pairs = counts.doubled_pairs;
    steps.push_back(pairs == 0
                        ? std::string("symmetrized")
                        : "symmetrized: " + std::to_string(pairs) +
                              (pairs == 1 ? " pair of vertices has" : " pairs of vertices have") +
                              " parallel arcs (to deduplicate leaves one each way)");
  }
  if (mirrored == mirroring::needless) steps.push_back("already symmetric: nothing to do");
  if (options.remove_self_loops) steps.push_back(removed_step(counts.self_loops, "self-loop"));
  if (options.deduplicate) steps.push_back(removed_step(counts.duplicates, "duplicate arc"));
  return steps;
}

/// Whether doubled_pairs has to be counted for the steps.
template <class Options>
bool counts_doubled_pairs(const Options& options, mirroring mirrored) {
  return mirrored == mirroring::done && !options.deduplicate && !options.listed_once;
}

}  // namespace gossamer::detail
