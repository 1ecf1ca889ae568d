// Spanning forests on a GPU, host side: edges are listed and uploaded once. A run goes round by
// round; after each it hears how many edges are left.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/spanning_forest/gpu.hpp"
#include "algorithm/spanning_forest/sync/cuda/launch.hpp"
#include "algorithm/spanning_forest/sync/first_ones.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::spanning_forest_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted;

/// In the GPU's memory.
template <class Id, bool Packed>
struct gpu_arrays {
  buffer<edge<Id, Packed>> edges, left[2];
  buffer<Id> parent;
  buffer<unsigned long long> lowest, nearest;
  buffer<unsigned> chosen;
  buffer<std::int64_t> arcs, found;
  buffer<round_counts> counts;
  buffer<std::byte> work;  ///< of collect()

  void list(array_list& of, std::int64_t vertices, std::int64_t all_arcs, std::int64_t all_edges) {
    of.add(edges, all_edges);
    for (auto& list : left) of.add(list, all_edges);
    of.add(parent, vertices);
    of.add(lowest, vertices);
    of.add(nearest, Packed ? 0 : vertices);
    of.add(chosen, (all_arcs + 31) / 32);
    of.add(arcs, vertices);
    of.add(found, 1);
    of.add(counts, 1);
    of.add(work, collect_bytes(all_arcs));
  }
};

/// Vertices whose edges a thread lists at once.
constexpr std::int64_t vertices_at_once = 4096;

/// All edges, in the order of their arcs.
template <class Id, bool Packed, class Weight>
shared_array<edge<Id, Packed>> edges_of(const graph& g, std::span<const Weight> weights,
                                        const std::stop_token& stop) {
  const auto rows = g.view<Id>();
  const std::int64_t n = rows.vertices(), pieces = (n + vertices_at_once - 1) / vertices_at_once;
  std::vector<std::int64_t> begin(static_cast<std::size_t>(pieces) + 1);
  const auto each_edge = [&](std::int64_t piece, const auto& f) {
    if (stop.stop_requested()) return;
    for (std::int64_t u = piece * vertices_at_once; u < std::min(n, (piece + 1) * vertices_at_once);
         ++u)
      for (edge_offset arc = rows.offsets[u]; arc < rows.offsets[u + 1]; ++arc)
        if (rows.indices[arc] > u) f(static_cast<Id>(u), rows.indices[arc], arc);
  };
  const cpu_team team{g.arcs() >= vertices_at_once ? host().cores : 1};
  for_each(team, pieces, [&](std::int64_t piece) {
    each_edge(piece, [&](Id, Id, std::int64_t) { ++begin[static_cast<std::size_t>(piece) + 1]; });
  });
  for (std::size_t piece = 1; piece < begin.size(); ++piece) begin[piece] += begin[piece - 1];
  const auto all = make_array<edge<Id, Packed>>(static_cast<std::size_t>(begin.back()));
  for_each(team, pieces, [&](std::int64_t piece) {
    auto* to = all.data() + begin[static_cast<std::size_t>(piece)];
    each_edge(piece, [&](Id u, Id v, std::int64_t arc) {
      std::uint64_t rank = 0;
      if constexpr (!std::is_same_v<Weight, no_weight>)
        rank = rank_of(weights[static_cast<std::size_t>(arc)]);
      *to++ = edge<Id, Packed>::of(u, v, rank, arc);
    });
  });
  if (stop.stop_requested()) throw cancelled_error("spanning_forest: stopped");
  return all;
}

/// Its component will have most edges soon.
std::int64_t hub_of(const graph& g) {
  std::int64_t hub = -1, most = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    if (const auto degree = g.offsets[v + 1] - g.offsets[v]; degree > most) hub = v, most = degree;
  return hub;
}

template <class Id, bool Packed>
class gpu_sync final : public engine {
 public:
  template <class Weight>
  gpu_sync(const preparation& from, Weight)
      : on_(from.on), vertices_(from.of.vertices()), arcs_(from.of.arcs()), hub_(hub_of(from.of)) {
    const device& gpu = on_[0];
    const current_device here(gpu.ordinal);
    std::span<const Weight> weights;
    if constexpr (!std::is_same_v<Weight, no_weight>)
      weights = std::get<shared_array<Weight>>(from.of.weights).span();
    const auto all = edges_of<Id, Packed, Weight>(from.of, weights, from.options.run.cancel);
    edges_ = std::ssize(all.span());
    const auto last = last_of_first(vertices_, arcs_, edges_, [&](std::int64_t arc) {
      if constexpr (std::is_same_v<Weight, no_weight>)
        return std::uint64_t{0};
      else
        return rank_of(weights[static_cast<std::size_t>(arc)]);
    });
    in_two_ = last.has_value();
    if (last) {
      const auto e = edge<Id, Packed>::of(0, 0, last->first, last->second);
      last_.key = e.key;
      if constexpr (!Packed) last_.place = e.place;
    }
    array_list taken(gpu);
    arrays_.list(taken, vertices_, arcs_, edges_);
    if (edges_ > 0) copy_bytes(arrays_.edges.data(), all.data(), all.size() * sizeof(all[0]));
    units_ = std::max(1, gpu.units / std::max(1, gpu.share));
    begun_ = event(gpu.ordinal);
    ended_ = event(gpu.ordinal);
  }

  void run(const run_options& options, spanning_forest_result& result) override {
    on_.run([&](rank& r) { run_rank(r, result); }, options);
  }

 private:
  using list_type = edge_list<Id, Packed>;
  using edge_type = edge<Id, Packed>;

  void run_rank(rank& r, spanning_forest_result& result) {
    const double begin = r.clock();
    double before = begin, gathering = 0, joining = 0;
    const auto lap = [&] {
      const double now = r.clock();
      return now - std::exchange(before, now);
    };
    begun_.record(r.stream());
    begin_again(r);
    for (int part = in_two_ ? 0 : 1; part < 2; ++part) {
      const list_type left = gather(r, part);
      gathering += lap();
      result.rounds += join_all(r, left, part);
      joining += lap();
    }
    {
      const trace_span span(r, "collect", r.stream());
      collect(site(r), arrays_.chosen.data(), arcs_, arrays_.arcs.data(), arrays_.found.data(),
              arrays_.work.data(), static_cast<std::int64_t>(arrays_.work.size()));
    }
    ended_.record(r.stream());
    r.synchronize();
    const double seconds = ended_.milliseconds_since(begun_) * 1e-3;
    std::int64_t found = 0;
    copy_bytes(&found, arrays_.found.data(), sizeof found);
    result.arcs = shared_array<std::int64_t>(static_cast<std::size_t>(found));
    if (found > 0)
      copy_bytes(result.arcs.data(), arrays_.arcs.data(), result.arcs.size() * sizeof(found));
    result.milliseconds = seconds * 1e3;
    result.phases = {{"gather", gathering}, {"join", joining}, {"collect", lap()}};
    trace_run(r, "spanning_forest", begin, seconds);
    r.progress(1);
  }

  void begin_again(rank& r) {
    begin(site(r), view());
    r.fill(arrays_.chosen.data(), 0, arrays_.chosen.size() * sizeof(unsigned));
  }

  /// Of two parts first the first ones, then those that lead from one component to another.
  list_type gather(rank& r, int part) {
    const list_type all{arrays_.edges.data(), edges_};
    if (!in_two_) return all;
    const trace_span span(r, "gather", r.stream());
    if (part > 0) {
      shorten(site(r), view());
      return leading_out(r, all);
    }
    r.fill(arrays_.counts.data(), 0, sizeof(round_counts));
    take_first(site(r), view(), all, last_, arrays_.left[0].data());
    return {arrays_.left[0].data(), static_cast<std::int64_t>(counts(r).edges)};
  }

  /// Round by round, until no edge is left; how many rounds.
  std::int64_t join_all(rank& r, list_type left, int part) {
    const trace_span span(r, "join", r.stream());
    std::int64_t rounds = 0;
    const auto most = static_cast<double>(std::max<std::int64_t>(1, left.count));
    for (; left.count > 0; ++rounds) {
      const auto smallest = [&](const buffer<unsigned long long>& of) {
        r.fill(of.data(), 0xff, of.size() * sizeof(unsigned long long));
      };
      smallest(arrays_.lowest);
      offer(site(r), view(), left);
      if constexpr (!Packed) {
        smallest(arrays_.nearest);
        offer_arcs(site(r), view(), left);
      }
      choose(site(r), view(), left);
      left = leading_out(r, left);
      const double done = 1 - static_cast<double>(left.count) / most;
      r.progress(in_two_ ? (part + done) / 2 : done);
    }
    return rounds;
  }

  /// Those of a list that join two components, by these; in the place that is not the list's.
  list_type leading_out(rank& r, const list_type& of) {
    edge_type* const to = arrays_.left[of.edges == arrays_.left[0].data() ? 1 : 0].data();
    while (true) {
      r.fill(arrays_.counts.data(), 0, sizeof(round_counts));
      drop(site(r), view(), of, to);
      const round_counts found = counts(r);
      if (found.again == 0) return {to, static_cast<std::int64_t>(found.edges)};
    }
  }

  round_counts counts(rank& r) const {
    r.synchronize();
    round_counts found{};
    copy_bytes(&found, arrays_.counts.data(), sizeof found);
    return found;
  }

  [[nodiscard]] launch_site site(const rank& r) const { return {r.stream().native(), units_}; }
  [[nodiscard]] round_view<Id> view() const {
    return {vertices_,
            hub_,
            arrays_.parent.data(),
            arrays_.lowest.data(),
            arrays_.nearest.data(),
            arrays_.chosen.data(),
            arrays_.counts.data()};
  }

  machine& on_;
  std::int64_t vertices_, arcs_, hub_;
  std::int64_t edges_ = 0;
  bool in_two_ = false;
  last_edge last_{};
  int units_ = 1;
  gpu_arrays<Id, Packed> arrays_;
  event begun_, ended_;
};

template <class Id>
std::unique_ptr<engine> make_of(const preparation& from) {
  return of_weights(from.of, [&]<class Weight>(Weight w) -> std::unique_ptr<engine> {
    if (is_packed(sizeof(Weight), from.of.arcs()))
      return std::make_unique<gpu_sync<Id, true>>(from, w);
    return std::make_unique<gpu_sync<Id, false>>(from, w);
  });
}

/// In the GPU's memory, and of edges in the host's.
template <class Id, bool Packed>
std::pair<std::int64_t, std::int64_t> bytes_of(const problem& p) {
  const std::int64_t edges = p.arcs / 2;
  return {counted<gpu_arrays<Id, Packed>>(p.vertices, p.arcs, edges).own,
          edges * static_cast<std::int64_t>(sizeof(edge<Id, Packed>))};
}

template <class Id>
std::pair<std::int64_t, std::int64_t> bytes_of(const problem& p) {
  return is_packed(static_cast<std::size_t>(p.weight_width), p.arcs) ? bytes_of<Id, true>(p)
                                                                     : bytes_of<Id, false>(p);
}

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return make_of<vertex32>(from);
  return make_of<vertex64>(from);
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p) {
  const current_device current(m[0].ordinal);  // CUB asks the GPU how much it selects with
  const certainty edges = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const auto [there, here] = p.id_width == 4 ? bytes_of<vertex32>(p) : bytes_of<vertex64>(p);
  l.own(0, "edges, components and which arcs are the forest's", there, edges);
  l.shared("edges while they are listed", here, edges);
}

}  // namespace gossamer::spanning_forest_detail
