// bfs_engine: one rank's local work in a level-synchronous BFS. The driver (typed_search.hpp) owns
// the level loop, the direction choice and the agreement; engines own the data of their rank and do
// their own exchange over the windows below. A CPU engine and a CUDA engine meet in one run, so
// what crosses ranks is fixed here:
//
//   bits       window<uint64>, native, 2 x placed/64 words: frontier bitmaps over placed ids, two
//              buffers by level parity. Word w of rank r's range is written by r alone.
//   bits_seen  signals[p]: counter s is set by rank s to (level + 1) once its slice of that level's
//              bitmap lies here.
//   inbox      window<message<Id>>, native, p segments of rows messages: rank s writes into
//              segment s (rank s sends each of my vertices at most once per traversal).
//   mail       signals[p]: counter s is set by rank s to ((level + 1) << 40 | count) after its
//              messages of that level: arrival and count in one word (rows < 2^40).
//
// The level's agreement (allreduce) separates levels: a buffer is reused only after every rank has
// consumed it, because a rank agrees on level L only after its step of level L is complete.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "algorithm/driver/array_list.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::bfs_detail {

/// "target (local index at the receiver) was reached from parent (placed id)".
template <class Id>
struct message {
  std::int32_t target;
  Id parent;
};

/// Windows shared by all engines of a run, made collectively by the driver in this order.
template <class Id>
struct exchange {
  window<std::uint64_t> bits;
  signal_set bits_seen;
  window<message<Id>> inbox;
  signal_set mail;

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed, int ranks) {
    of.add(bits, 2 * placed / 64);
    of.add(bits_seen, ranks);
    of.add(inbox, ranks * rows);
    of.add(mail, ranks);
  }
};

/// Bytes that a modelled GPU moves for one random access; real machines charge nothing.
inline constexpr double sector = 32;

/// What a step found at this rank: the next frontier's size, and the arcs in its rows.
struct step_result {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;
};

/// What one rank sent of one kind of message, and how long it sent and waited.
struct traffic {
  std::int64_t rounds = 0;    ///< times that all ranks exchanged
  std::int64_t messages = 0;  ///< puts of this rank
  std::int64_t bytes = 0;     ///< of their contents
  double seconds = 0;         ///< NaN: not told apart from the work
};
inline constexpr double untold = std::numeric_limits<double>::quiet_NaN();
/// Paper B's kinds: did anybody find a vertex, which ones, the result.
struct traffic_by_kind {
  traffic flag, out, tree;
};

/// A whole traversal as it ran.
struct traversal {
  std::vector<bfs_level> levels;
  std::int64_t reached = 0;
  std::int64_t arcs = 0;  ///< in rows of reached vertices
  double seconds = -1;    ///< by the device's clock, where that is the one to go by
  double began = -1;      ///< rank::clock() where those begin: GPUs know it in traced runs alone
  std::vector<bfs_overlap> overlap;
  std::optional<worklist_counters> work;  ///< engine async, all ranks
};

/// Work memory and result arrays of one rank, in its native memory, allocated by the search before
/// any run (never inside one). Layout is the engine's business; sizes are planned by the factory.
template <class Id>
class bfs_engine {
 public:
  virtual ~bfs_engine() = default;
  /// Called inside a run, before the first step: clears parents/depths (-1), keeps `ex` (nullptr
  /// when p == 1: then no window exists and nothing is sent), enters `source` (local index) when
  /// this rank owns it, else -1.
  virtual step_result begin(rank& r, const exchange<Id>* ex, std::int64_t source_local) = 0;
  /// One level, depth `level` -> `level + 1`: sends, receives, claims, builds the next frontier.
  virtual step_result top_down(rank& r, std::int64_t level) = 0;
  virtual step_result bottom_up(rank& r, std::int64_t level) = 0;
  /// What this rank has sent since begin(); flags are the driver's.
  [[nodiscard]] virtual traffic_by_kind sent() const = 0;
  /// Smallest-parent pass: for every reached local v (but the source) the in-neighbour u with
  /// depth(u) = depth(v) - 1 whose caller's id is smallest. `all_depths` (native, placed() entries
  /// on every rank) is filled by the engines: each pushes its own range, then r.barrier().
  virtual void smallest_parents(rank& r, const window<std::int32_t>& all_depths) = 0;
  /// After the last level: device work done, results readable.
  virtual void finish(rank& r) = 0;
  /// Seconds this rank spent sending to or waiting for peers since begin().
  [[nodiscard]] virtual double exchange_seconds() const = 0;
  /// Result arrays by local index: parents as placed ids (-1 none), depths. New arrays per run:
  /// ownership passes to the caller, the next begin() takes fresh ones (or recycled ones).
  [[nodiscard]] virtual bfs_result::part take_part() = 0;
};

/// CPU ranks, two or more: cpu_engine.cpp. CUDA ranks: cuda/engine.cu, or absent/cuda_engine.cpp.
template <class Id>
std::unique_ptr<bfs_engine<Id>> make_cpu_engine(const placed_graph& g, int rank,
                                                const bfs_options& options);
template <class Id>
std::unique_ptr<bfs_engine<Id>> make_cuda_engine(const placed_graph& g, int rank,
                                                 const bfs_options& options);
/// The explicit instantiations of one of them.
#define GOSSAMER_BFS_ENGINES(make)                                              \
  template std::unique_ptr<bfs_engine<vertex32>> make(const placed_graph&, int, \
                                                      const bfs_options&);      \
  template std::unique_ptr<bfs_engine<vertex64>> make(const placed_graph&, int, const bfs_options&);
struct planned_rank;
/// What they take beside parents, depths and the windows above.
algorithm_detail::listed_bytes cpu_engine_bytes(const planned_rank& p, const bfs_options& options);
algorithm_detail::listed_bytes cuda_engine_bytes(const planned_rank& p);

}  // namespace gossamer::bfs_detail
