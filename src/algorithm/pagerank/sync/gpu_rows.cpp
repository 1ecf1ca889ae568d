// Builds the rows on the host: slots by class of length, then chunks and bases, then columns
// scattered into their rows. Of symmetric graphs without shares, rows are copied instead.
#include "algorithm/pagerank/sync/gpu_rows.hpp"

#include <algorithm>
#include <span>
#include <stop_token>

#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/layouts/hub_order.hpp"
#include "algorithm/pagerank/weights.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/ordered_rows.hpp"

namespace gossamer::pagerank_detail {

namespace {

using positions = shared_array<vertex32>;

/// By class of length, in the old order within each, inside each of the ranges.
positions class_order(std::span<const edge_offset> offsets,
                      const std::vector<std::int64_t>& first) {
  auto slot = make_array<vertex32>(offsets.size() - 1);
  const auto class_at = [&](std::int64_t v) { return class_of(offsets[v + 1] - offsets[v]); };
  for (std::size_t r = 0; r + 1 < first.size(); ++r) {
    std::array<std::int64_t, row_classes + 1> next{};
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v) ++next[class_at(v) + 1];
    next[0] = first[r];
    for (int c = 1; c <= row_classes; ++c) next[c] += next[c - 1];
    for (std::int64_t v = first[r]; v < first[r + 1]; ++v)
      slot[static_cast<std::size_t>(v)] = static_cast<vertex32>(next[class_at(v)]++);
  }
  return slot;
}

positions vertex_order(std::int64_t n) {
  auto same = make_array<vertex32>(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v) same[v] = static_cast<vertex32>(v);
  return same;
}

positions inverted(const positions& there) {
  auto back = make_array<vertex32>(there.size());
  for (std::size_t i = 0; i < there.size(); ++i) back[there[i]] = static_cast<vertex32>(i);
  return back;
}

/// One rank's row lengths: where rows, classes and chunks begin. `begin`: [n] by slot, filled here
/// for the part's slots, counted from the first arc of all.
gpu_part lay_rows(const shared_array<edge_offset>& in_offsets, const positions& vertex_of,
                  std::int64_t first, std::int64_t last, std::int64_t first_arc,
                  shared_array<edge_offset>& begin) {
  gpu_part p;
  p.first_arc = first_arc;
  p.offsets.reserve(static_cast<std::size_t>(last - first) + 1);
  p.chunk_first.push_back(0);
  for (std::int64_t s = first; s < last; ++s) {
    const auto v = static_cast<std::size_t>(vertex_of[s]);
    const std::int64_t length = in_offsets[v + 1] - in_offsets[v];
    const row_class c = class_of(length);
    for (int k = c; k < row_classes; ++k) p.class_end[k] = s + 1 - first;
    if (c == split) {
      for (std::int64_t at = 0; at < length; at += chunk_arcs)
        p.chunks.push_back({p.arcs + at, std::min(chunk_arcs, length - at)});
      p.chunk_first.push_back(static_cast<std::int64_t>(p.chunks.size()));
    } else if ((s - first - p.class_end[split]) % base_rows == 0) {
      p.bases.push_back(p.arcs);
    }
    begin[static_cast<std::size_t>(s)] = first_arc + p.arcs;
    p.offsets.push_back(static_cast<std::uint32_t>(p.arcs));
    p.arcs += length;
  }
  p.offsets.push_back(static_cast<std::uint32_t>(p.arcs));
  return p;
}

double weight_of(const graph& g, edge_offset arc) {
  return std::visit(
      [&](const auto& w) {
        if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
          return 1.0;
        else
          return static_cast<double>(w[static_cast<std::size_t>(arc)]);
      },
      g.weights);
}

/// What a vertex offers, and to whom.
template <class Value>
class offer_facts {
 public:
  offer_facts(const shared_array<double>& out_weight, bool weighted, gpu_rows<Value>& rows)
      : out_weight_(out_weight), weighted_(weighted), rows_(rows) {}

  template <class Id>
  void note(std::int64_t u, std::span<const Id> targets) const {
    const auto s = static_cast<std::size_t>(rows_.slot[static_cast<std::size_t>(u)]);
    const double whole = out_weight_[static_cast<std::size_t>(u)];
    rows_.inverse[s] = whole > 0 ? static_cast<Value>(weighted_ ? 1 : 1 / whole) : Value{0};
    if (rows_.wanted.empty()) return;
    const auto& first = rows_.first;
    std::uint32_t wanted = 0;
    for (const Id target : targets) {
      const auto v = static_cast<std::int64_t>(target);
      const auto owner = std::upper_bound(first.begin(), first.end(), v) - first.begin() - 1;
      wanted |= std::uint32_t{1} << (owner % 32);
    }
    rows_.wanted[s] = wanted;
  }

 private:
  const shared_array<double>& out_weight_;
  bool weighted_;
  gpu_rows<Value>& rows_;
};

/// Every arc into its target's row, sources in the order in which they offer. `next`: [n] by slot.
template <class Id, class Value>
void scatter_columns(const graph& g, const csr_view<Id>& out, const positions& position,
                     const shared_array<double>& out_weight, const pagerank_options& options,
                     shared_array<edge_offset>& next, gpu_rows<Value>& rows) {
  const positions source_at = inverted(position);
  const offer_facts<Value> facts(out_weight, options.weighted, rows);
  for (std::size_t at = 0; at < source_at.size(); ++at) {
    if (at % 4096 == 0 && options.run.cancel.stop_requested())
      throw cancelled_error("pagerank: stopped");
    const std::int64_t u = source_at[at];
    const double whole = out_weight[static_cast<std::size_t>(u)];
    const auto targets = out.row(u);
    edge_offset arc = out.offsets[static_cast<std::size_t>(u)];
    for (const Id v : targets) {
      const auto slot = static_cast<std::size_t>(rows.slot[static_cast<std::size_t>(v)]);
      const auto to = static_cast<std::size_t>(next[slot]++);
      rows.columns[to] = static_cast<vertex32>(at);
      if (options.weighted)
        rows.shares[to] = static_cast<Value>(whole > 0 ? weight_of(g, arc) / whole : 0.0);
      ++arc;
    }
    facts.note(u, targets);
  }
}

/// The same where a row's sources are its own targets and arcs have no shares: each row by itself,
/// by all cores. `begin`: [n] by slot.
template <class Id, class Value>
void copy_columns(const csr_view<Id>& out, const positions& position,
                  const shared_array<double>& out_weight, const pagerank_options& options,
                  const shared_array<edge_offset>& begin, gpu_rows<Value>& rows) {
  constexpr std::int64_t some = 1024;
  const auto n = static_cast<std::int64_t>(position.size());
  const offer_facts<Value> facts(out_weight, false, rows);
  const std::stop_token& stop = options.run.cancel;
  for_pieces({host().cores}, n, some, [&](std::int64_t first, std::int64_t last) {
    if (stop.stop_requested()) return;
    for (std::int64_t v = first; v < last; ++v) {
      const auto targets = out.row(v);
      const auto slot = static_cast<std::size_t>(rows.slot[static_cast<std::size_t>(v)]);
      vertex32* const row = rows.columns.data() + begin[slot];
      vertex32* const end = std::transform(targets.begin(), targets.end(), row, [&](Id u) {
        return position[static_cast<std::size_t>(u)];
      });
      if (!std::is_sorted(row, end)) std::sort(row, end);
      facts.note(v, targets);
    }
  });
  if (stop.stop_requested()) throw cancelled_error("pagerank: stopped");
}

}  // namespace

template <class Value>
gpu_rows<Value> make_gpu_rows(const graph& g, const std::vector<std::int64_t>& first,
                              const pagerank_options& options) {
  const std::int64_t n = g.vertices();
  const std::size_t ranks = first.size() - 1;
  const auto size = static_cast<std::size_t>(n), arcs = static_cast<std::size_t>(g.arcs());
  const auto out_weight = out_weights(g, options.weighted, options.run.cancel);
  const auto in_offsets = in_offsets_of(g);
  const auto in = in_offsets.span();
  gpu_rows<Value> rows;
  rows.first = first;
  rows.hubs_first = algorithm_detail::degrees_of(g).skewed;
  const positions position =
      rows.hubs_first ? algorithm_detail::hub_positions<vertex32>(g.offsets.span(), rows.first)
                      : vertex_order(n);
  rows.slot = algorithm_detail::count_degrees(in).skewed
                  ? algorithm_detail::hub_positions<vertex32>(in, rows.first)
                  : class_order(in, rows.first);
  auto next = make_array<edge_offset>(size);
  {
    const positions vertex_of = inverted(rows.slot);
    std::int64_t arc = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      rows.parts.push_back(
          lay_rows(in_offsets, vertex_of, rows.first[r], rows.first[r + 1], arc, next));
      arc += rows.parts.back().arcs;
    }
    if (!std::equal(position.begin(), position.end(), rows.slot.begin())) {
      rows.place = make_array<vertex32>(size);
      for (std::size_t s = 0; s < size; ++s) rows.place[s] = position[vertex_of[s]];
    }
  }
  rows.columns = make_array<vertex32>(arcs);
  if (options.weighted) rows.shares = make_array<Value>(arcs);
  rows.inverse = make_array<Value>(size);
  if (ranks > 1) rows.wanted = make_array<std::uint32_t>(size);
  g.visit([&](const auto& out) {
    if (g.symmetric && !options.weighted)
      copy_columns(out, position, out_weight, options, next, rows);
    else
      scatter_columns(g, out, position, out_weight, options, next, rows);
  });
  return rows;
}

template gpu_rows<float> make_gpu_rows(const graph&, const std::vector<std::int64_t>&,
                                       const pagerank_options&);
template gpu_rows<double> make_gpu_rows(const graph&, const std::vector<std::int64_t>&,
                                        const pagerank_options&);

}  // namespace gossamer::pagerank_detail
