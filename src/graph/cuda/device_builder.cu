// build_on_device: the builder's steps over an edge list in the memory of a GPU.
//
// Passes over memory, for E edges of 2 x 4 bytes that become A arcs (A = 2 E where they are
// mirrored), n vertices, and P pieces of A / P arcs, P = 4 for most lists:
//
//   survey       read the list                       8 E
//   count        read the list, if P > 1             8 E
//   put          read the list, write keys           8 E P + 8 A
//   sort         count digits; d passes              8 A + 16 A d
//   drop         keys once each, if asked for        8 A + 8 A
//   take         rows and columns of keys            8 A + 4 A + 8 n
//
// A key has log2(n) bits of column and log2(n / P) of row; d is an eighth of that. For 2^28 edges,
// mirrored, A = 2^29, n = 2^24: d = 6, and 90 GB pass through memory, 52 GB of them for sorting, 22
// ms at 4 TB/s. n = 2^28 takes one pass more and its offsets. More pieces would make no key shorter
// by eight bits before P = 2^8, and read the list as often.
//
// Memory: the graph, and two keys for each arc of a piece. A piece is whole rows, so that a row of
// more arcs than a piece makes a larger one; an edge gives a row one arc, which bounds it by E.
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "graph/build_steps.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/device_arrays.cuh"
#include "graph/cuda/device_memory.hpp"
#include "graph/cuda/edge_list.cuh"
#include "graph/cuda/over_warp.cuh"
#include "graph/cuda/sorted_arcs.cuh"
#include "graph/cuda/waited_stream.cuh"
#include "graph/listed_both_ways.hpp"
#include "graph/row_buckets.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

namespace {

using detail::arc_sums;
using detail::block_threads;
using detail::mirroring;
using detail::row_piece;
using detail::sums_wanted;
using detail::waited_stream;

/// Pieces are made no smaller than this to fit a limit of memory.
constexpr std::int64_t least_piece = std::int64_t{1} << 22;

void check_list(const device_edges& edges) {
  require(detail::are_ids(edges.sources) && detail::are_ids(edges.targets),
          "from_edges: expected int32, int64 or uint32 vertices");
  require(edges.sources.type == edges.targets.type,
          "from_edges: sources and targets differ in type");
  detail::check_weight_type(edges.weights);
  if (edges.sources.count != edges.targets.count)
    throw usage_error("from_edges: " + std::to_string(edges.sources.count) + " sources, but " +
                      std::to_string(edges.targets.count) + " targets");
  if (edges.weights && edges.weights->count != edges.sources.count)
    throw usage_error("from_edges: " + std::to_string(edges.sources.count) + " edges, but " +
                      std::to_string(edges.weights->count) + " weights");
}

class device_building {
 public:
  device_building(const device_edges& edges, const device_build_options& options, waited_stream& on)
      : list_(edges),
        options_(options),
        on_(on),
        weight_bytes_(edges.weights ? element_bytes(edges.weights->type) : 0) {}

  device_csr run() {
    look();
    plan();
    device_csr g;
    g.ordinal = list_.edges().ordinal;
    g.name = options_.name;
    detail::with_weights(list_.edges().weights, [&]<class Weight>(Weight) {
      if (configuration::narrow_ids(vertices_))
        make_rows<vertex32, Weight>(g);
      else
        make_rows<vertex64, Weight>(g);
    });
    g.steps = detail::build_steps(counts_, options_, mirrored_);
    g.symmetric = mirrored_ != mirroring::none;
    if (options_.known_symmetric && !has_mirrors_)
      throw input_error("the graph is said to be symmetric, but some arc has no mirror");
    g.symmetric = g.symmetric || has_mirrors_;
    g.longest_row = detail::longest_row(g.ordinal, g.offsets.data(), vertices_, on_);
    return g;
  }

 private:
  void check_stop() const { detail::check_stop(options_.stop, detail::builder_name); }
  [[nodiscard]] std::int64_t edges() const { return list_.count(); }

  /// Checks ids, and finds out how many vertices and arcs there will be.
  void look() {
    check_stop();
    mirrored_ = !options_.symmetrize       ? mirroring::none
                : options_.known_symmetric ? mirroring::needless
                                           : mirroring::done;
    const bool unsure = mirrored_ == mirroring::done && !options_.listed_once;
    const detail::edge_survey seen = list_.survey(unsure, on_);
    if (edges() > 0 && seen.least < 0) refuse_negative();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    vertices_ = options_.vertices.value_or(seen.largest == most ? most : seen.largest + 1);
    require(vertices_ > 0, "from_edges: the graph has no vertices");
    if (seen.largest >= vertices_)
      throw input_error("from_edges: vertex " + std::to_string(seen.largest) +
                        " is not below the number of vertices, " + std::to_string(vertices_));
    if (unsure && seen.difference == 0) mirrored_ = mirroring::needless;
    wanted_ = {mirrored_ == mirroring::done, options_.remove_self_loops};
    differing_ = seen.differing;
    if (options_.remove_self_loops) counts_.self_loops = seen.loops;
    arcs_ = (edges() - seen.loops) * (wanted_.mirror ? 2 : 1) +
            (options_.remove_self_loops ? 0 : seen.loops);
  }

  [[noreturn]] void refuse_negative() const {
    const device_edges& list = list_.edges();
    bool source = true;
    std::int64_t at = list_.first_negative(list.sources, on_);
    if (at < 0) {
      source = false;
      at = list_.first_negative(list.targets, on_);
    }
    const device_view& ids = source ? list.sources : list.targets;
    const std::int64_t id = detail::with_ids(ids.type, [&]<class Id>(Id) -> std::int64_t {
      return detail::value_at(static_cast<const Id*>(ids.data), at);
    });
    throw input_error("from_edges: edge " + std::to_string(at) + ": " +
                      (source ? "source" : "target") + " vertex " + std::to_string(id) +
                      " is negative");
  }

  /// Divides rows into pieces that fit the limit.
  void plan() {
    const memory_limit limit = detail::limit_on_gpu(options_.memory);
    device_build_options made = options_;  // of which arcs are made one by one
    made.symmetrize = false;
    const auto needed = [&](std::int64_t longest, std::int64_t piece) {
      return plan_device_build(vertices_, arcs_, weight_bytes_, made, longest, piece);
    };
    device_build_plan all = needed(0, 0);
    while (all.total() > limit.bytes && all.piece_arcs > least_piece)
      all = needed(0, all.piece_arcs / 2);
    if (all.total() > limit.bytes) refuse_memory(all.total(), limit);
    pieces_ = divide(std::max<std::int64_t>(all.piece_arcs, 1));
    for (const row_piece& piece : pieces_) largest_piece_ = std::max(largest_piece_, piece.arcs);
    all = needed(largest_piece_, all.piece_arcs);
    if (all.total() > limit.bytes) refuse_memory(all.total(), limit);
  }

  [[noreturn]] void refuse_memory(std::int64_t bytes, const memory_limit& limit) const {
    using configuration::format_bytes;
    throw capacity_error(
        "from_edges: the graph does not fit: " + std::to_string(vertices_) + " vertices, " +
        std::to_string(edges()) + " edges; building it takes up to " + format_bytes(bytes) +
        " of cuda:" + std::to_string(list_.edges().ordinal) + " beside the list; the limit is " +
        format_bytes(limit.bytes) + " (" + limit.source + ")");
  }

  /// All rows in pieces of at most `most` arcs, unless one row has more, and of no more rows than
  /// keys have bits for.
  std::vector<row_piece> divide(std::int64_t most) {
    id_bits_ = detail::bits_for(vertices_);
    const std::int64_t most_rows = std::int64_t{1} << std::min(62, 64 - id_bits_);
    const auto fits = [&](std::int64_t arcs, std::int64_t rows) {
      return arcs <= most && rows <= most_rows;
    };
    std::vector<row_piece> open{{0, vertices_, arcs_}}, pieces;
    while (!open.empty()) {
      const row_piece next = open.back();
      open.pop_back();
      if (!fits(next.arcs, next.rows) && next.rows > 1) {
        check_stop();
        const auto parts = list_.divide(next, wanted_, on_);
        open.insert(open.end(), parts.rbegin(), parts.rend());
      } else if (!pieces.empty() &&
                 fits(pieces.back().arcs + next.arcs, pieces.back().rows + next.rows)) {
        pieces.back().arcs += next.arcs;
        pieces.back().rows += next.rows;
      } else {
        pieces.push_back(next);
      }
    }
    return pieces;
  }

  template <class Id, class Weight>
  void make_rows(device_csr& g) {
    using Bits = detail::bits_of<Weight>;
    constexpr bool weighted = !std::is_void_v<Bits>;
    const int ordinal = g.ordinal;
    const auto room = static_cast<std::size_t>(arcs_);
    buffer<edge_offset> offsets(memory_kind::device, ordinal,
                                static_cast<std::size_t>(vertices_) + 1);
    buffer<Id> columns(memory_kind::device, ordinal, room);
    buffer<std::conditional_t<weighted, Weight, char>> weights(memory_kind::device, ordinal,
                                                               weighted ? room : 0);
    std::int64_t kept = 0;
    {
      detail::arc_sorter<Bits> sorter(ordinal, std::max<std::int64_t>(largest_piece_, 1));
      const buffer<arc_sums> sums(memory_kind::device, ordinal, 1);
      fill_bytes(memory_kind::device, ordinal, sums.data(), 0, sizeof(arc_sums));
      const sums_wanted wanted{mirrored_ == mirroring::none || options_.known_symmetric,
                               detail::counts_doubled_pairs(options_, mirrored_)};
      for (const row_piece& piece : pieces_) {
        check_stop();
        list_.put(piece, wanted_, id_bits_, sorter.input(), sorter.input_bits(), on_);
        const std::int64_t arcs = sorter.sort(piece.arcs, id_bits_ + detail::bits_for(piece.rows),
                                              differing_, options_.deduplicate, on_);
        detail::queue_rows(sorter.keys(), arcs, id_bits_, piece.rows - 1, kept,
                           offsets.data() + piece.first, on_.native());
        if (arcs > 0) {
          detail::take_targets<<<detail::blocks_for(arcs), block_threads, 0, on_.native()>>>(
              sorter.keys(), arcs, id_bits_, columns.data() + kept);
          if constexpr (weighted)
            detail::take_weights<<<detail::blocks_for(arcs), block_threads, 0, on_.native()>>>(
                sorter.bits(), arcs, !std::is_same_v<Weight, std::int32_t>,
                reinterpret_cast<Bits*>(weights.data()) + kept);
          if (wanted.difference || wanted.doubled_pairs)
            detail::add_arcs<Bits>
                <<<detail::filling_blocks(arcs), block_threads, 0, on_.native()>>>(
                    sorter.keys(), sorter.bits(), arcs, id_bits_, piece.first, wanted,
                    detail::seed_of_process(), sums.data());
        }
        on_.wait();
        kept += arcs;
        if (options_.progress)
          options_.progress(static_cast<double>(piece.first + piece.rows) /
                            static_cast<double>(vertices_));
      }
      copy_bytes(offsets.data() + vertices_, &kept, sizeof kept);
      const arc_sums found = detail::value_at(sums.data(), 0);
      counts_.doubled_pairs = static_cast<std::int64_t>(found.doubled_pairs);
      has_mirrors_ = wanted.difference && found.difference == 0;
    }
    check_stop();
    counts_.duplicates = arcs_ - kept;
    g.offsets = device_array<edge_offset>(std::move(offsets));
    g.columns = fitted(std::move(columns), kept);
    if constexpr (weighted) g.weights = fitted(std::move(weights), kept);
  }

  /// The first `kept` elements, in memory of their size where more than a thirty-second would lie
  /// idle.
  template <class T>
  device_array<T> fitted(buffer<T> made, std::int64_t kept) {
    const auto size = static_cast<std::size_t>(kept);
    if (size >= made.size() - made.size() / 32) return device_array<T>(std::move(made)).first(size);
    buffer<T> exact(memory_kind::device, made.ordinal(), size);
    if (size > 0)
      GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(exact.data(), made.data(), size * sizeof(T),
                                          cudaMemcpyDeviceToDevice, on_.native()));
    on_.wait();
    return device_array<T>(std::move(exact));
  }

  detail::edge_list list_;
  const device_build_options& options_;
  waited_stream& on_;
  int weight_bytes_, id_bits_ = 0;
  mirroring mirrored_ = mirroring::none;
  detail::arcs_wanted wanted_;
  std::uint64_t differing_ = 0;
  std::int64_t vertices_ = 0;
  std::int64_t arcs_ = 0;  ///< before duplicates are dropped
  std::vector<row_piece> pieces_;
  std::int64_t largest_piece_ = 0;
  detail::build_counts counts_;
  bool has_mirrors_ = false;
};

}  // namespace

device_csr build_on_device(const device_edges& edges, const device_build_options& options) {
  check_list(edges);
  // Memory is taken and returned, and kernels are loaded, in between.
  const driver_pause pause(options.stop);
  const detail::device_scope scope(edges.ordinal);
  detail::check_place(edges.sources, edges.ordinal, "from_edges: sources");
  detail::check_place(edges.targets, edges.ordinal, "from_edges: targets");
  if (edges.weights) detail::check_place(*edges.weights, edges.ordinal, "from_edges: weights");
  waited_stream on(detail::gpu_of(edges.ordinal));
  if (edges.stream) on.begin_after(static_cast<cudaStream_t>(*edges.stream));
  return device_building(edges, options, on).run();
}

}  // namespace gossamer
