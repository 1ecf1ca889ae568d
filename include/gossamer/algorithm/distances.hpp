// Distances by arcs from many vertices, and what is made of them: sums and reciprocals (closeness,
// harmonic centrality), eccentricities, the diameter, and depths themselves.
//
// 64 searches go at once: a vertex has a bit a search in each of three words, who was met, who is
// in the frontier and who will be, and an arc hands on all searches by one "or" (Then and others,
// "The More the Merrier", PVLDB 8, 2014). Small frontiers push along arcs, large ones are pulled,
// and a row ends when all searches that miss the vertex have it (Beamer, Asanović, Patterson,
// SC'12). Searches that go together begin near each other. Where frontiers share nothing, a batch
// is given up, and its searches go one by one from a queue. How many vertices each search met on a
// level is counted by carry-save adders. Threads take batches, each with arrays of its own; on GPUs
// all blocks share a batch, and each search is pushed or pulled by itself.
//
// Eccentricities of all vertices of a symmetric graph, and its diameter, take as many searches as
// bounds leave open: what is d from a vertex of eccentricity e has one of at least max(d, e - d)
// and at most e + d (Takes, Kosters, Algorithms 6, 2013).
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/base/shared_array.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

enum class distance_measure : std::uint8_t { sums, eccentricity, diameter };

struct distances_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  64 searches at once, batch by batch, by a thread or a GPU each
  std::string engine = "auto";
  /// What is wanted.
  ///   sums          of each source: vertices met, sum and reciprocals of distances, eccentricity
  ///   eccentricity  of each source that alone; of all vertices of a symmetric graph by bounds
  ///   diameter      the largest eccentricity of all vertices; of symmetric graphs by bounds
  distance_measure measure = distance_measure::sums;
  bool inward = false;      ///< distances to the sources, against arcs, in place of those from them
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

/// A row a source, one entry a target, -1 where there is no path; as narrow as the depths allow.
using depth_matrix =
    std::variant<shared_array<std::int8_t>, shared_array<std::int16_t>, shared_array<std::int32_t>>;

struct distances_result {
  std::string engine;
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked
  std::string ranks_reason;   ///< why not all; empty when all did
  distance_measure measure = distance_measure::sums;
  /// By source. Those that were not asked for are empty.
  shared_array<std::int64_t> reached;         ///< vertices at some distance, the source included
  shared_array<std::int64_t> sums;            ///< of their distances
  shared_array<double> reciprocals;           ///< sum of 1 / distance of all but the source
  shared_array<std::int32_t> eccentricities;  ///< largest distance
  depth_matrix depths;
  std::int32_t diameter = 0;  ///< the largest of the eccentricities; -1 without sources
  std::int64_t end = -1;      ///< a source that has it, the first where all were searched
  /// Whether each source that was searched from met all vertices: of all vertices of the graph,
  /// that it is connected, or strongly connected.
  bool all_reached = true;
  std::int64_t searches = 0;  ///< sources that were searched from
  std::int64_t alone = 0;     ///< of these, one by one; none on GPUs
  /// Rows to sums; slowest rank; of GPUs by their clocks, with rows of depths.
  double milliseconds = 0;
  /// Seconds by name: "search"; "bounds", choosing sources and narrowing. "reverse", reversing
  /// arcs, and "order", finding who is near whom, are not part of `milliseconds`, and 0 where an
  /// earlier run or call left them. Nor is "collect" of GPUs, bringing depths to the host.
  std::vector<std::pair<std::string, double>> phases;
};

/// Prepared for a graph on a machine: memory is planned, arcs are reversed, and it runs any number
/// of times. All ranks read the same rows, so none owns vertices; of GPUs one alone finds bounds.
///
/// The constructor throws not_compiled for ranks that are processes, and usage_error for unknown
/// engines.
class distances_search : public prepared_search<distances_search, distances_options> {
 public:
  using prepared_search::prepared_search;

  /// Of all vertices, in their order.
  distances_result run();
  /// Of these, in their order, again where one comes again. usage_error for one that is no vertex,
  /// and of the diameter, which is one of all.
  distances_result run(std::span<const std::int64_t> sources);
  /// With depths between each of these and each target. capacity_error where there is no room for
  /// the matrix. usage_error for other measures than sums.
  distances_result run(std::span<const std::int64_t> sources,
                       std::span<const std::int64_t> targets);
};

/// Convenience: prepare, run once, of all vertices.
distances_result distances(machine& m, const graph& g, const distances_options& options = {});

/// Numbers of a vertex that distances give.
enum class distance_kind : std::uint8_t {
  reached,
  sums,
  closeness,       ///< (reached - 1) / sum; 0 where there is no other
  wide_closeness,  ///< that times (reached - 1) / (vertices - 1): of components of several sizes
  harmonic,        ///< sum of 1 / distance
  eccentricity
};

/// Checks a number of each source independently of the code that made them: by a search of its own
/// from each, or from `samples` of them, evenly spread (0: all). Numbers may differ from what it
/// finds by some 1e-9 of it. O(samples (n + m)), with the reversed arcs. cancelled_error within
/// milliseconds of a request to `stop`; usage_error for a source that is no vertex.
verification verify_distances(const graph& g, distance_kind kind, bool inward,
                              std::span<const std::int64_t> sources, std::span<const double> values,
                              std::int64_t samples = 0, const std::stop_token& stop = {});
/// Checks a matrix of depths to all vertices: a source is its own at 0, no arc leads further than
/// one on, and whoever is at d > 0 has an arc from one at d - 1. O(sources (n + m)).
verification verify_depths(const graph& g, bool inward, std::span<const std::int64_t> sources,
                           const depth_matrix& depths, const std::stop_token& stop = {});

}  // namespace gossamer
