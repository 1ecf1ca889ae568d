// placed_graph: a graph laid over a machine, kept and reused by any number of runs.
//
// Each rank owns a slice: the rows of its vertices, columns as placed ids, in its own memory. On
// one CPU rank, or when range boundaries need no renumbering, slices share the caller's arrays.
// The permutation (caller's ids -> placed ids) is absent when it is the identity. Everything that
// will be allocated is in the plan before it is allocated.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/ownership.hpp"

namespace gossamer {

/// How sure a number is that was worked out before the graph was there.
enum class certainty : std::uint8_t { exact, at_most, about };
/// "exact", "at most", "about".
const char* certainty_name(certainty c);

/// What is known of a graph before it is made or read: enough to plan for it.
struct graph_shape {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  bool symmetric = false;  ///< false: not known to be; both directions are planned for
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  /// Known not to be symmetric: what both directions take is then exact, not a bound.
  bool directed = false;
  std::int64_t longest_row = 0;  ///< no row has more arcs; 0: not known
  int gpu = -1;                  ///< where its arrays lie: columns are not taken again there
};

/// Bytes one rank needs, by purpose; printable, compared with the limit before anything is taken.
struct memory_plan {
  struct entry {
    int rank;
    memory_kind kind;
    std::string purpose;  ///< "offsets", "columns", "inbox", …
    std::int64_t bytes;
    certainty sure = certainty::exact;
    bool spills = false;  ///< may lie in host memory in part (spill())
  };
  std::vector<entry> entries;
  std::vector<std::int64_t> limit;  ///< per rank, bytes it may take (ranks that share, a share)
  std::int64_t host_limit = 0;  ///< bytes all host and pinned entries together may take; 0 = any
  std::vector<int> accounts;    ///< per rank, whose memory its own is (memory_use.hpp)
  /// Adds an entry unless `bytes` is 0.
  void add(int rank, memory_kind kind, std::string purpose, std::int64_t bytes,
           certainty sure = certainty::exact);
  /// Sets limit and host_limit for the ranks of `m`: `asked` bytes per device if not 0, else
  /// GOSSAMER_MEMORY, else what the devices have. Below 0: -asked bytes of each GPU, and of the
  /// host as if nothing were asked.
  void limit_to(const machine& m, std::int64_t asked);
  /// Moves what a rank's limit does not hold beside `room` more bytes to pinned host memory, from
  /// the entries that may, in whole pages.
  void spill(std::int64_t room = 0);
  /// Moves what is more than so many bytes of a rank's columns.
  void keep_on_gpus(std::int64_t columns);
  /// Bytes of columns that every rank keeps, for place_options; -1: nothing was moved.
  [[nodiscard]] std::int64_t columns_on_gpu() const;
  /// Of an entry that spill() has moved in part, how many of its pages stay on the rank's GPU.
  [[nodiscard]] std::optional<std::int64_t> pages_on_device(int rank,
                                                            const std::string& purpose) const;
  /// What spill() has moved, of all ranks.
  [[nodiscard]] std::int64_t spilled() const;
  /// That in words, as the end of a reason that users read; empty where nothing was moved.
  [[nodiscard]] std::string spilled_text() const;
  /// Bytes of one rank in its native memory / in all.
  [[nodiscard]] std::int64_t of(int rank) const;
  [[nodiscard]] std::int64_t total() const;
  /// Bytes that earlier calls left in the memories of these ranks (kept.hpp), by account; dropped
  /// where this plan needs the room.
  [[nodiscard]] std::map<int, std::int64_t> kept() const;
  /// A table in words, one line per rank and purpose.
  [[nodiscard]] std::string text() const;
  /// Throws capacity_error with text() when a rank's bytes, or the host's, exceed the limit. Drops
  /// what is kept and unused in its way.
  void check() const;

 private:
  void make_room() const;
};

/// Where rows lie that a GPU has no room for.
enum class spilling : std::uint8_t {
  automatic,  ///< in host memory, unless a limit of memory was asked for
  host,       ///< in host memory
  none        ///< nowhere: they are refused
};

struct place_options {
  std::string partition = "auto";  ///< auto (equal ranges) | ranges | edges | hash | metis | file
  std::vector<std::int32_t> part_of;  ///< for "file": part of every vertex
  std::string renumber = "none";      ///< none | degree (inside each owner)
  bool both_directions = true;        ///< directed graphs: keep in-adjacency too (bottom-up)
  /// What engine vector_queue of bfs reads, and nothing else: one copy of the arcs, of directed
  /// graphs, too. Several ranks get column_slices in place of rows, one gets rows in one direction.
  bool by_columns = false;
  /// Bytes per device, 0 = configuration / device; below 0: as memory_plan::limit_to().
  std::int64_t memory = 0;
  /// Rows that spill leave room for what bfs takes beside them.
  spilling spill = spilling::automatic;
  /// Bytes of columns that stay on each GPU, whatever `spill` says; below 0: it decides.
  std::int64_t columns_on_gpu = -1;
  std::stop_token stop = {};  ///< cancelled_error soon after a request

  /// All columns are a single rank's own: its rows are such a slice.
  [[nodiscard]] bool makes_columns(int ranks) const { return by_columns && ranks > 1; }
};

/// Whether rows may spill under this limit of memory (place_options).
bool may_spill(spilling asked, std::int64_t memory);

/// One rank's part, in its native memory. Columns are placed ids.
template <class Id>
struct graph_slice {
  /// local_size(rank), holes included; on a single CPU rank that shares the caller's arrays, n.
  std::int64_t rows = 0;
  std::int64_t arcs = 0;
  std::int64_t in_arcs = 0;                 ///< of in_columns; 0 when not kept
  const edge_offset* offsets = nullptr;     ///< rows + 1, from 0
  const Id* columns = nullptr;              ///< where rows spill, of memory_kind::spread
  const edge_offset* in_offsets = nullptr;  ///< = offsets when symmetric; nullptr when not kept
  const Id* in_columns = nullptr;
};

/// One rank's part of a graph that is placed by columns: of every vertex, those neighbours that the
/// rank owns. For a graph that is symmetric these are the arcs of its rows, turned.
template <class Id>
struct column_slice {
  std::int64_t vertices = 0;             ///< of all ranks, by placed id: where arcs begin
  std::int64_t rows = 0;                 ///< local_size(rank)
  std::int64_t arcs = 0;                 ///< that end at them
  const edge_offset* offsets = nullptr;  ///< [vertices + 1]
  const Id* ends = nullptr;              ///< [arcs] local indices, ascending for each
};

class placed_graph {
 public:
  /// What was placed; usage_error unless whole().
  [[nodiscard]] const graph& source() const;
  /// False for a graph made on the ranks (generated_placement.hpp): its parts are all there is.
  [[nodiscard]] bool whole() const noexcept;
  /// The graph's own facts, whole or not.
  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] std::int64_t vertices() const noexcept;
  [[nodiscard]] std::int64_t arcs() const noexcept;
  [[nodiscard]] bool symmetric() const noexcept;
  [[nodiscard]] bool sorted() const noexcept;
  [[nodiscard]] const std::vector<std::string>& steps() const noexcept;
  /// Out-degree of the caller's vertex. Unless whole(), it is read from the owner's slice: by a
  /// copy where that is a GPU's, and usage_error where it is another process's.
  [[nodiscard]] std::int64_t degree(std::int64_t vertex) const;
  /// For a graph made on the ranks: how many ends of entries of the edge list lie at each local
  /// index of `rank`. Repeated entries and self-loops (two ends) are included. In the rank's native
  /// memory; nullptr for other graphs and ranks that are not here().
  [[nodiscard]] const std::int64_t* list_ends(int rank) const;
  [[nodiscard]] const ownership& owners() const noexcept;
  /// [ranks + 1] rank r owns the placed ids from bounds()[r] up to bounds()[r + 1]. Where ids are
  /// the caller's, the last bound is vertices(): no holes are behind it.
  [[nodiscard]] const std::vector<std::int64_t>& bounds() const noexcept;
  /// The same tables in the memory of `rank`'s device, for kernels.
  [[nodiscard]] const ownership_view& owners_at(int rank) const;
  /// A digest of which rank owns which vertex under which id and, unless whole(), of how the graph
  /// was made. Reads the tables each time. Processes whose digests differ must not run together.
  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] const memory_plan& plan() const noexcept;
  [[nodiscard]] bool has_in_adjacency() const noexcept;
  /// Whether its ranks have column_slices, and no rows.
  [[nodiscard]] bool by_columns() const noexcept;
  /// 4 or 8: width of placed ids.
  [[nodiscard]] int id_width() const noexcept;
  /// usage_error where it is placed by columns.
  template <class Id>
  [[nodiscard]] const graph_slice<Id>& slice(int rank) const;
  /// usage_error where it is not.
  template <class Id>
  [[nodiscard]] const gossamer::column_slice<Id>& column_slice(int rank) const;
  /// Placed id of the caller's vertex (0-based index), and back (-1 for holes).
  [[nodiscard]] std::int64_t placed_id(std::int64_t vertex) const;
  [[nodiscard]] std::int64_t vertex(std::int64_t placed) const;
  /// True when caller's ids and placed ids are the same numbers.
  [[nodiscard]] bool identity() const noexcept;
  /// In `rank`'s native memory: caller's vertex of each placed id (placed() entries, -1 = hole);
  /// nullptr when identity().
  template <class Id>
  [[nodiscard]] const Id* vertex_of_placed(int rank) const;
  /// The same table on the host, and its inverse: [vertices()] placed id of each vertex.
  template <class Id>
  [[nodiscard]] const Id* vertices_by_id() const;
  template <class Id>
  [[nodiscard]] const Id* ids_by_vertex() const;
  [[nodiscard]] machine& on() const noexcept;
  /// Seconds spent partitioning, renumbering and uploading.
  [[nodiscard]] double seconds() const noexcept;
  /// How many times slices were uploaded to devices since creation (tested: stays 1).
  [[nodiscard]] int uploads() const noexcept;

  struct state;
  explicit placed_graph(std::shared_ptr<state> s);

 private:
  std::shared_ptr<state> state_;
};

/// The plan alone: nothing is allocated on a device. For METIS, shares are taken to be equal.
memory_plan plan_placement(const machine& m, const graph& g, const place_options& options = {});
/// The same before there is a graph. On one rank the numbers are as sure as the shape's; on
/// several, arcs are taken to lie evenly over the ranks, and so are the vertices of partitions
/// other than equal ranges: those numbers are `about`.
memory_plan plan_placement(const machine& m, const graph_shape& g,
                           const place_options& options = {});
/// How sure numbers are that follow from the vertices of each rank.
certainty rows_certainty(const machine& m, const graph_shape& g, const place_options& options);
/// The sizes of the ownership that place() would make; for METIS, of equal shares.
ownership_sizes plan_ownership(const machine& m, const graph& g, const place_options& options = {});
ownership_sizes plan_ownership(const machine& m, const graph_shape& g,
                               const place_options& options = {});
/// What each rank of a placement gets, before there is one.
struct planned_rows {
  std::vector<std::int64_t> bounds;  ///< as placed_graph::bounds()
  std::vector<std::int64_t> arcs;    ///< [ranks] in the rows of each
  bool moved = false;                ///< placed ids are not the caller's
  certainty rows_are = certainty::exact, arcs_are = certainty::exact;

  [[nodiscard]] int ranks() const { return static_cast<int>(arcs.size()); }
  /// Placed ids in all, and of one rank.
  [[nodiscard]] std::int64_t ids() const { return bounds.back(); }
  [[nodiscard]] std::int64_t ids(int rank) const {
    return bounds[static_cast<std::size_t>(rank) + 1] - bounds[static_cast<std::size_t>(rank)];
  }
};
/// Of what place() would make; for METIS, and before there is a graph, shares are taken to be
/// equal.
planned_rows plan_rows(const machine& m, const graph& g, const place_options& options = {});
planned_rows plan_rows(const machine& m, const graph_shape& g, const place_options& options = {});
/// Of one that is there; the arcs of other processes' ranks are not known, and 0.
planned_rows rows_of(const placed_graph& g);
/// Arcs that end at each rank's vertices (see graph_slice::in_arcs) in the placement that place()
/// would make; for METIS, and before there is a graph, of equal shares.
std::vector<std::int64_t> plan_in_arcs(const machine& m, const graph& g,
                                       const place_options& options = {});
std::vector<std::int64_t> plan_in_arcs(const machine& m, const graph_shape& g,
                                       const place_options& options = {});
/// Lays g over m. Throws capacity_error (with the plan) before allocating, usage_error for unknown
/// names. The machine must outlive the result.
placed_graph place(machine& m, const graph& g, const place_options& options = {});

}  // namespace gossamer
