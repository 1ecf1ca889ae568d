// Components on GPUs, host side: rows uploaded once; in a run each rank queues its passes and its
// part of the merging, and waits once.
//
// A rank touches its own rows' vertices and their neighbours, its span, and knows nothing of others
// until it merges. So labels are begun and compressed in spans alone, and merging joins what both
// know and copies what the other one knows alone: with rows in the order of a grid nearly all.
#include <algorithm>

#include "algorithm/connected_components/cuda/rank_rows.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/connected_components/sync_outcome.hpp"
#include "algorithm/cuda/current_device.hpp"
#include "algorithm/short_rows.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::components_detail {

namespace {

using namespace cuda;

/// A vertex with as many neighbours is in the largest component of all ranks' samples.
constexpr std::int64_t hub_arcs = 1024;

template <class Id>
class typed_program final : public components_program {
 public:
  typed_program(machine& m, const graph& g, const std::vector<std::int64_t>& first)
      : machine_(m),
        vertices_(g.vertices()),
        short_rows_(algorithm_detail::short_in_the_mean(vertices_, g.arcs())) {
    for (int r = 0; r < m.size(); ++r) {
      const algorithm_detail::cuda::current_device here(m[r].ordinal);
      ranks_.push_back(
          std::make_unique<rank_rows<Id>>(g, first[r], first[r + 1], m[r], m.size() == 1));
    }
    left_ = choose_left(g);
  }

  void run(const run_options& options, components_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(vertices_));
    std::vector<sync_outcome> outcomes(ranks_.size());
    machine_.run([&](rank& r) { outcomes[static_cast<std::size_t>(r.id())] = work(r, labels); },
                 options);
    describe(outcomes, result);
    result.labels = labels;
  }

 private:
  /// Each edge once where rows are short: a sample would be nearly all of them. Else rows are left
  /// out when all ranks test for one vertex. One rank alone guesses it; several take the one with
  /// the most neighbours, which every rank's sample has connected with most others, if there is one
  /// with very many.
  arcs_left choose_left(const graph& g) {
    if (!g.symmetric) return arcs_left::all;
    if (short_rows_) return arcs_left::smaller;
    if (ranks_.size() == 1) return arcs_left::outside;
    for (std::int64_t v = 0; v < vertices_; ++v)
      if (g.degree(v) > g.degree(hub_)) hub_ = v;
    if (vertices_ == 0 || g.degree(hub_) < hub_arcs) return arcs_left::smaller;
    const bool everywhere = std::all_of(ranks_.begin(), ranks_.end(), [&](const auto& mine) {
      const vertex_span s = mine->span();
      return s.size() == 0 || (s.from <= hub_ && hub_ < s.to);
    });
    return everywhere ? arcs_left::outside : arcs_left::smaller;
  }

  sync_outcome work(rank& r, const shared_array<Id>& labels) {
    rank_rows<Id>& mine = *ranks_[static_cast<std::size_t>(r.id())];
    const window<Id> all = r.make_window<Id>(labels.size());
    signal_set ready;
    std::span<Id> piece;
    if (r.size() > 1) {
      ready = r.make_signals(static_cast<std::size_t>(r.size()));
      if (!machine_.all_direct()) piece = r.scratch<Id>(fetched_by_gpu);
      r.barrier();
    }
    const double begin = r.clock();
    mine.mark(r, begun);
    hook(r, mine, all.local().data());
    mine.mark(r, hooked);
    merge_by_pairs(r, all, ready, piece);
    mine.mark(r, merged);
    if (r.id() == 0) compress_all(r, mine, {0, vertices_}, all.local().data());
    mine.mark(r, ended);
    r.synchronize();
    const sync_outcome out{mine.seconds(begun, ended), mine.seconds(begun, sampled),
                           mine.seconds(sampled, hooked), mine.seconds(merged, ended),
                           mine.seconds(hooked, merged)};
    trace_run(r, "components", begin, out.seconds);
    if (r.id() == 0) copy_bytes(labels.data(), all.local().data(), labels.size() * sizeof(Id));
    return out;
  }

  void hook(rank& r, rank_rows<Id>& mine, Id* labels) {
    const launch_site on = mine.site(r);
    const bool samples = left_ != arcs_left::smaller || !short_rows_;
    {
      const trace_span traced(r, "sample", r.stream());
      begin_labels(on, mine.view(), mine.span(), labels, mine.state());
      if (short_rows_) compress(on, mine.span(), labels);
      if (samples) sample_second(r, mine, labels);
    }
    mine.mark(r, sampled);
    const trace_span traced(r, "hook", r.stream());
    hook_rest(on, mine.view(), left_, samples ? 2 : 1, labels, mine.state(), mine.chunks());
    if (mine.chunks() != nullptr)
      hook_chunks(on, mine.view(), left_, labels, mine.state(), mine.chunks());
  }
  /// Joins what second arcs join, and looks which component is the largest.
  void sample_second(rank& r, rank_rows<Id>& mine, Id* labels) {
    const launch_site on = mine.site(r);
    hook_second(on, mine.view(), labels);
    compress(on, mine.span(), labels);
    if (left_ != arcs_left::outside || mine.span().size() == 0) return;
    if (r.size() == 1)
      guess_largest(on, vertices_, labels, mine.state());
    else
      note_root(on, static_cast<Id>(hub_), labels, mine.state());
  }

  static void compress_all(rank& r, const rank_rows<Id>& mine, vertex_span of, Id* labels) {
    const trace_span traced(r, "compress", r.stream());
    compress(mine.site(r), of, labels);
  }

  /// Afterwards rank 0's labels are those of the whole graph, uncompressed (sync.hpp's pairs).
  void merge_by_pairs(rank& r, const window<Id>& all, const signal_set& ready,
                      std::span<Id> piece) {
    for (int s = 1; s < r.size(); s *= 2) {
      const int peer = r.id() + s;
      if (r.id() % (2 * s) != 0)
        return r.raise(ready[static_cast<std::size_t>(r.id())], r.id() - s, 1);
      if (peer >= r.size()) continue;
      const trace_span traced(r, "merge", trace_class::exchange);
      r.wait_signal(ready[static_cast<std::size_t>(peer)], 1, peer);
      take_labels(r, all, peer, known_by(r.id(), s), known_by(peer, s), piece);
    }
  }

  /// What ranks from..from+count-1 have touched, as far as there are so many. Ranges of rows are
  /// adjacent, so that spans leave no gap.
  [[nodiscard]] vertex_span known_by(int from, int count) const {
    const int end = std::min(from + count, static_cast<int>(ranks_.size()));
    vertex_span all = ranks_[static_cast<std::size_t>(from)]->span();
    for (int r = from + 1; r < end; ++r) {
      const vertex_span s = ranks_[static_cast<std::size_t>(r)]->span();
      all = {std::min(all.from, s.from), std::max(all.to, s.to)};
    }
    return all;
  }

  void take_labels(rank& r, const window<Id>& all, int peer, vertex_span known, vertex_span theirs,
                   std::span<Id> piece) {
    const launch_site on = ranks_[static_cast<std::size_t>(r.id())]->site(r);
    const std::int64_t lowest = std::min(known.from, theirs.from);
    Id* labels = all.local().data();
    const auto taken = [&](vertex_span of, const Id* found) {
      adopt(on, of, lowest, found, labels);
    };
    const auto joined = [&](vertex_span of, const Id* found) {
      merge(on, of, lowest, found, labels);
    };
    // First what is new here: joining follows labels to it.
    fetch(r, all, peer, {theirs.from, std::min(known.from, theirs.to)}, piece, taken);
    fetch(r, all, peer, {std::max(known.to, theirs.from), theirs.to}, piece, taken);
    fetch(r, all, peer, {std::max(known.from, theirs.from), std::min(known.to, theirs.to)}, piece,
          joined);
  }

  /// use(part of `of`, the peer's labels of it), in stream order; an empty `of` ends where it
  /// begins or before.
  template <class Use>
  void fetch(rank& r, const window<Id>& all, int peer, vertex_span of, std::span<Id> piece,
             const Use& use) {
    if (of.size() <= 0) return;
    if (const auto there = all.direct(peer); !there.empty()) return use(of, there.data() + of.from);
    for (std::int64_t v = of.from; v < of.to; v += fetched_by_gpu) {
      const vertex_span part{v, std::min(v + fetched_by_gpu, of.to)};
      r.get(all, peer, static_cast<std::size_t>(v),
            piece.first(static_cast<std::size_t>(part.size())));
      use(part, piece.data());
    }
  }

  machine& machine_;
  std::int64_t vertices_;
  /// First arcs make chains then, not stars, and every later hook would walk them: compressed
  /// before, road:5000 took 2.9 ms instead of 4.9 on an H200.
  bool short_rows_;
  std::vector<std::unique_ptr<rank_rows<Id>>> ranks_;
  arcs_left left_ = arcs_left::all;
  std::int64_t hub_ = 0;  ///< of several ranks
};

}  // namespace

std::unique_ptr<components_program> make_gpu(machine& m, const graph& g,
                                             const std::vector<std::int64_t>& first) {
  if (g.id_width() == 4) return std::make_unique<typed_program<vertex32>>(m, g, first);
  return std::make_unique<typed_program<vertex64>>(m, g, first);
}

gpu_bytes gpu_bytes_on(const machine& m, std::int64_t vertices, std::int64_t rows,
                       std::int64_t arcs, int id_width) {
  gpu_bytes b;
  b.rows = (rows + 1) * static_cast<std::int64_t>(sizeof(edge_offset)) + arcs * id_width;
  b.chunks = 2 * arcs / chunk_arcs * static_cast<std::int64_t>(sizeof(row_chunk)) +
             static_cast<std::int64_t>(sizeof(run_state) + sizeof(vertex_span));
  b.labels = vertices * id_width;
  if (m.size() > 1 && !m.all_direct()) b.fetched = fetched_by_gpu * id_width;
  return b;
}

}  // namespace gossamer::components_detail
