// PageRank: the stationary distribution of a walk that follows arcs, and now and then jumps.
//
// Power iteration as NetworkX defines it (Brin and Page 1998; vertices without out-arcs jump):
//   x'(v) = damping * (sum over arcs u -> v of x(u) w(u, v) / W(u) + D p(v)) + (1 - damping) p(v)
// where W(u) is the sum of u's out-weights (1 an arc unless weighted), D the sum of x over vertices
// with W = 0, and p the distribution of jumps (uniform unless personalised). Pulled: a vertex adds
// up what its in-neighbours offer, x(u) / W(u). An offer is worked out once a vertex; on several
// ranks all of them are gathered by every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Ranks by vertex; float or, with precision 64, double.
using rank_array = std::variant<shared_array<float>, shared_array<double>>;

struct pagerank_options {
  /// One of these names; others throw usage_error. So do async and host with `deterministic`, a
  /// tolerance of zero or a damping of 1.
  ///   auto   sync
  ///   sync   power iteration, and what `steps` says
  ///   async  residuals pushed by a distributed worklist: one thread a CPU rank, one kernel a GPU,
  ///          all of `machine` whatever `use` says
  ///   host   GPUs: async's worklist, but a host thread launches each round and sends each message
  ///          through links and routers
  std::string engine = "auto";
  /// Engine sync on CPU ranks: auto (each iteration of a symmetric graph whose arcs weigh alike
  /// goes beyond what the definition gives, where fewer are needed so; a rank that is alone sweeps
  /// over directed graphs whose arcs are near; the ranks agree within the tolerance) or power
  /// (never). GPUs and models never do. Other names throw usage_error, and so does power with
  /// another engine.
  std::string steps = "auto";
  /// How idle ranks get work from others: none | steal (parts of their rows). Engine async on CPU
  /// ranks (dataflow/distributed_worklist.hpp), and engine host on GPUs of one process that address
  /// each other's memory; else usage_error.
  std::string balance = "none";
  /// Order of the worklist of engines async and host: soft (the largest residual first, roughly)
  /// or none (first in, first out, for comparison). Other names throw usage_error, and so does none
  /// with another engine.
  std::string priority = "soft";
  /// How messages of engine host reach their vertex's owner: direct, or ring (from each rank to the
  /// next). Other names throw usage_error, and so does ring with another engine.
  std::string route = "direct";
  /// Engine host: bytes of the largest segment of messages; 0 = chosen. usage_error with another
  /// engine.
  std::int64_t packet = 0;
  /// Which rank owns which vertices: auto, ranges, edges, hash, metis (graph/partition.hpp) or file
  /// (`part_of`). auto makes contiguous ranges: of as many arcs with engines async and host, of as
  /// many in-arcs with sync on GPUs, else of as many vertices. Results are always in the caller's
  /// numbering: where parts are not ranges, the graph is renumbered once. A partition is for all
  /// ranks, so with one `use` is all. On one rank a name has no effect, but a table must fit.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;  ///< of "file": the part of every vertex
  double damping = 0.85;              ///< 0 … 1: share of steps that follow arcs
  double tolerance = 1e-6;            ///< stop when the ranks change by this at most, in the 1-norm
  /// Engines async and host, in place of the tolerance: a vertex is left alone while its residual
  /// is smaller than this share of the mean rank (Groute's EPSILON is 0.01). 0: by the tolerance.
  /// usage_error with another engine.
  double residual = 0;
  std::int64_t most_iterations = 100;
  /// Bits of a rank, 32 or 64. Sums over rows and over vertices have 64 either way. With 32 the
  /// 1-norm cannot fall below some 1e-7. Engines async and host work with 64 and round the result.
  int precision = 32;
  bool weighted = false;  ///< steps in proportion to weights instead of all arcs alike
  /// Asks for the same bits in every run. The iteration adds in a fixed order without it, too.
  bool deterministic = false;
  rank_use use = rank_use::automatic;
  std::int64_t memory = 0;               ///< bytes, 0 = configuration / device
  spilling spill = spilling::automatic;  ///< rows that GPUs have no room for
  run_options run;
};

struct pagerank_result {
  std::string engine;
  std::string engine_reason;    ///< why it
  int ranks_used = 0;           ///< that worked
  std::string ranks_reason;     ///< why not all; empty when all did
  std::int64_t iterations = 0;  ///< of engines async and host windows of residuals
  bool converged = false;
  /// Of the last iteration, in the 1-norm. Of async and host: what another iteration would change
  /// at most.
  double change = 0;
  /// First to last iteration; slowest rank. On GPUs it is time on the device, by events in its
  /// stream. Does not count putting ranks back into the caller's numbering, where a partition needs
  /// that.
  double milliseconds = 0;
  /// Seconds by name: "pull"; on several ranks "allgather" and "agree". On GPUs whose kernels reach
  /// each other's memory there is "pull" alone, since all is one kernel. Of async and host "push";
  /// on several CPU ranks "exchange" (sending), "agree" (waiting).
  std::vector<std::pair<std::string, double>> phases;
  /// Engines async and host: what their worklist did, all ranks together. Empty with others.
  std::optional<worklist_counters> work;
  result_values<rank_array> ranks;  ///< n entries that sum to 1
};

/// Prepared for a graph on a machine: arcs are reversed where the graph is directed, work memory is
/// planned, and it runs for any distribution of jumps. Ranks own equal, contiguous ranges of rows,
/// GPUs ranges with equal numbers of in-arcs, laid out anew in their memory. With a partition, they
/// own its parts.
///
/// The constructor throws usage_error for options out of range, a partition that does not fit, and
/// `weighted` without weights. input_error names the arc whose weight is negative or not finite, or
/// the vertex whose weights add up to infinity. not_compiled for GPU ranks beside CPU ranks or in
/// other processes, and for metis in builds without it. capacity_error on GPUs for more than
/// 2^31 - 1 vertices.
class pagerank_solver : public prepared_search<pagerank_solver, pagerank_options> {
 public:
  using prepared_search::prepared_search;

  /// `personalization`: where jumps lead, n entries of zero or more, scaled to sum to 1; empty:
  /// anywhere. `start`: the first ranks, likewise; empty: all alike. usage_error for other sizes,
  /// negative entries or a sum of zero, and for a start with engine async, which begins with none.
  /// Where ranks are processes, collective, and every process has the whole result.
  pagerank_result run(std::span<const double> personalization = {},
                      std::span<const double> start = {});
};

/// Convenience: prepare, run once.
pagerank_result pagerank(machine& m, const graph& g, const pagerank_options& options = {},
                         std::span<const double> personalization = {});

/// What pagerank's verifier found.
struct pagerank_verification : verification {
  double residual = 0;  ///< 1-norm of x' - x, in double precision
  double allowed = 0;   ///< what `residual` may be
};

/// Applies the definition once more, in double precision and by code of its own (it pushes along
/// out-arcs): the ranks must be a fixed point within options.tolerance and what rounding to
/// options.precision adds; not negative, with a sum of 1. cancelled_error within milliseconds of a
/// request to `stop`.
pagerank_verification verify_pagerank(const graph& g, std::span<const double> ranks,
                                      const pagerank_options& options,
                                      std::span<const double> personalization = {},
                                      const std::stop_token& stop = {});

}  // namespace gossamer
