// Round by round: each component takes its first edge to another one, and those that this joins are
// one component of the next round. Edges within a component are dropped.
//
// Where there are many more edges than vertices, the first ones alone are joined at first. Few
// components are left, and most other edges lie within one: they are dropped as they are read.
#include "algorithm/spanning_forest/sync/sync.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/driver/rank_teams.hpp"
#include "algorithm/spanning_forest/sync/edge_order.hpp"
#include "algorithm/spanning_forest/sync/first_ones.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::spanning_forest_detail {

namespace {

using algorithm_detail::array_list;

constexpr auto relaxed = std::memory_order_relaxed;
/// Fewer edges or vertices than this a thread goes through in the time that a team takes to meet.
constexpr std::int64_t worth_a_team = 4096;
/// Arcs, edges or vertices between two asks whether to stop: well below a millisecond.
constexpr std::int64_t between_asks = 1 << 16;
/// Longer sorted rows are searched for their second half.
constexpr std::ptrdiff_t long_row = 64;

/// Seconds of a rank, in all and by phase.
struct outcome {
  double seconds = 0, gather = 0, join = 0, collect = 0;
  std::int64_t rounds = 0;
};

/// What all ranks share.
template <class Id, bool Packed>
struct shared_arrays {
  shared_array<edge<Id, Packed>> edges;
  shared_array<Id> parent;  ///< by vertex: another of its component; its own of a component's name
  shared_array<Id> names;   ///< of components, each thread's among its vertices
  shared_array<std::uint64_t> lowest;   ///< by component: the smallest key of its edges
  shared_array<std::uint64_t> nearest;  ///< where keys are weights: the smallest arc of these
  shared_array<std::uint64_t> chosen;   ///< a bit an arc

  void list_edges(array_list& of, std::int64_t count) { of.add(edges, count); }
  void list_vertices(array_list& of, std::int64_t count, bool weighted) {
    of.add(parent, count);
    of.add(names, weighted ? count : 0);
    of.add(lowest, weighted ? count : 0);
    of.add(nearest, weighted && !Packed ? count : 0);
  }
  void list_arcs(array_list& of, std::int64_t count) { of.add(chosen, (count + 63) / 64); }
};

/// A thread's count, in a line of its own: threads write them.
struct alignas(64) own_count {
  std::int64_t edges = 0, names = 0, found = 0;
};

/// Makes it `value` if that is smaller.
inline void lower(std::uint64_t& to, std::uint64_t value, bool alone) {
  std::atomic_ref at(to);
  std::uint64_t seen = at.load(relaxed);
  if (alone) {
    if (value < seen) at.store(value, relaxed);
    return;
  }
  while (value < seen && !at.compare_exchange_weak(seen, value, relaxed)) {
  }
}

template <class Id, class Weight, bool Packed>
class cpu_sync final : public engine {
  using edge_type = edge<Id, Packed>;
  static constexpr bool in_order = std::is_same_v<Weight, no_weight>;

 public:
  explicit cpu_sync(const preparation& from)
      : on_(from.on),
        of_(from.of),
        rows_(of_.view<Id>()),
        sorted_(of_.sorted),
        teams_(on_),
        threads_(teams_.threads()) {
    if constexpr (!std::is_same_v<Weight, no_weight>)
      weights_ = std::get<shared_array<Weight>>(of_.weights).span();
    counts_.resize(static_cast<std::size_t>(threads_));
    share_vertices();
    count_edges(from.options.run.cancel);
    array_list list{device()};
    all_.list_edges(list, first_edge_.back());
    all_.list_vertices(list, vertices(), !in_order);
    all_.list_arcs(list, of_.arcs());
    choose_first_ones();
  }

  void run(const run_options& options, spanning_forest_result& result) override {
    std::vector<outcome> outcomes(static_cast<std::size_t>(on_.size()));
    // Written once, in order: large pages would cost more than they give.
    arcs_ = shared_array<std::int64_t>(static_cast<std::size_t>(vertices()));
    teams_.begin();
    on_.run([&](rank& r) { run_rank(r, outcomes[static_cast<std::size_t>(r.id())]); }, options);
    const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
    result.milliseconds = slowest.seconds * 1e3;
    result.rounds = slowest.rounds;
    result.phases = {
        {"gather", slowest.gather}, {"join", slowest.join}, {"collect", slowest.collect}};
    result.arcs = arcs_.first(static_cast<std::size_t>(sum(&own_count::found)));
  }

 private:
  [[nodiscard]] std::int64_t vertices() const { return rows_.vertices(); }

  [[nodiscard]] std::uint64_t rank_of_arc(std::int64_t arc) const {
    if constexpr (std::is_same_v<Weight, no_weight>)
      return 0;
    else
      return rank_of(weights_[static_cast<std::size_t>(arc)]);
  }

  /// Contiguous ones, with as many arcs each as can be.
  void share_vertices() {
    const auto offsets = rows_.offsets;
    first_vertex_.push_back(0);
    for (int t = 1; t < threads_; ++t) {
      const edge_offset arcs = of_.arcs() / threads_ * t;
      const auto at = std::lower_bound(offsets.begin(), offsets.end(), arcs) - offsets.begin();
      first_vertex_.push_back(std::clamp<std::int64_t>(at, first_vertex_.back(), vertices()));
    }
    first_vertex_.push_back(vertices());
  }

  /// Each thread's edges have their place.
  void count_edges(const std::stop_token& stop) {
    std::vector<own_count> counts(static_cast<std::size_t>(threads_));
    const bool together = of_.arcs() >= worth_a_team && on_[0].model == nullptr;
    for_each(cpu_team{together ? std::min(threads_, host().cores) : 1}, threads_,
             [&](std::int64_t t) {
               std::int64_t count = 0;
               for (std::int64_t u = first_vertex_[t]; u < first_vertex_[t + 1]; ++u) {
                 if (u % between_asks == 0 && stop.stop_requested()) return;
                 const auto row = rows_.row(u);
                 for (std::size_t i = first_greater(row, u); i < row.size(); ++i)
                   count += static_cast<std::int64_t>(row[i]) > u;
               }
               counts[static_cast<std::size_t>(t)].edges = count;
             });
    if (stop.stop_requested()) throw cancelled_error("spanning_forest: stopped");
    first_edge_.push_back(0);
    for (const own_count& of : counts) first_edge_.push_back(first_edge_.back() + of.edges);
  }

  /// Where in u's row greater columns may begin.
  [[nodiscard]] std::size_t first_greater(std::span<const Id> row, std::int64_t u) const {
    if (!sorted_ || std::ssize(row) < long_row) return 0;
    return static_cast<std::size_t>(std::upper_bound(row.begin(), row.end(), static_cast<Id>(u)) -
                                    row.begin());
  }

  void choose_first_ones() {
    const auto last = last_of_first(vertices(), of_.arcs(), first_edge_.back(),
                                    [&](std::int64_t arc) { return rank_of_arc(arc); });
    in_two_ = last.has_value();
    if (last) last_of_first_ = *last;
  }

  void run_rank(rank& r, outcome& out) {
    r.barrier();
    const double begin = r.clock();
    double before = begin;
    const auto lap = [&] {
      const double now = r.clock();
      return now - std::exchange(before, now);
    };
    for (int part = 0; part < (in_two_ ? 2 : 1); ++part) {
      {
        const trace_span span(r, "gather");
        if (part == 0)
          begin_again(r);
        else
          rename(r);
        meet(r);
        gather(r, part);
        meet(r);
      }
      out.gather += lap();
      const trace_span span(r, "join");
      if constexpr (in_order)
        out.rounds += take_in_order(r);
      else
        out.rounds += join_all(r);
      out.join += lap();
    }
    {
      const trace_span span(r, "collect");
      collect(r);
    }
    out.collect = lap();
    out.seconds = r.clock() - begin;
    trace_run(r, "spanning_forest", begin, out.seconds);
    r.barrier();
  }

  /// Round by round, until no edge is left; how many rounds.
  std::int64_t join_all(rank& r) {
    std::int64_t rounds = 0;
    for (std::int64_t left; (left = sum(&own_count::edges)) > 0; ++rounds) {
      if constexpr (!Packed) {
        offer_arcs(r, left);
        meet(r);
      }
      choose(r, left);
      meet(r);
      join(r, left);
      meet(r);
      drop_inner(r, left);
      meet(r);
    }
    return rounds;
  }

  /// Without weights threads' edges lie in their order: each is the forest's that joins two
  /// components. One thread is done with that before several would have met a few times.
  std::int64_t take_in_order(rank& r) {
    if (sum(&own_count::edges) == 0) return 0;
    if (r.id() == 0)
      each_thread(r, 1, [&](int first, const auto& ask) {
        if (first != 0) return;
        Id* const parent = all_.parent.data();
        const auto root_of = [&](Id v) {
          while (parent[v] != v) v = parent[v] = parent[parent[v]];
          return v;
        };
        for (int t = 0; t < threads_; ++t) {
          const edge_type* const edges = edges_of(t);
          each_of(count(t).edges, sizeof(edge_type) + 2 * line, ask, [&](std::int64_t i) {
            const Id u = root_of(edges[i].u), v = root_of(edges[i].v);
            if (u == v) return;
            parent[std::max(u, v)] = std::min(u, v);
            const std::int64_t arc = edges[i].arc();
            all_.chosen[static_cast<std::size_t>(arc / 64)] |= std::uint64_t{1} << (arc % 64);
          });
        }
      });
    meet(r);
    return 1;
  }

  /// With the other ranks; a rank's own threads have met.
  void meet(rank& r) const {
    if (on_.size() > 1) r.barrier();
  }

  [[nodiscard]] own_count& count(int t) { return counts_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] std::int64_t sum(std::int64_t own_count::*of, int threads = -1) const {
    std::int64_t all = 0;
    for (int t = 0; t < (threads < 0 ? threads_ : threads); ++t)
      all += counts_[static_cast<std::size_t>(t)].*of;
    return all;
  }
  [[nodiscard]] edge_type* edges_of(int t) const {
    return all_.edges.data() + first_edge_[static_cast<std::size_t>(t)];
  }
  [[nodiscard]] Id* names_of(int t) const {
    return all_.names.data() + first_vertex_[static_cast<std::size_t>(t)];
  }
  [[nodiscard]] bool alone() const { return threads_ == 1; }

  /// f(thread, ask) for this rank's threads, as a team if there is enough to do. ask(n, bytes)
  /// after n looks at so many bytes each.
  template <class F>
  void each_thread(rank& r, std::int64_t work, const F& f) {
    const auto charge = [&](std::int64_t looks, double bytes) {
      r.charge(static_cast<double>(looks) * bytes, 0);
      looked_ += looks;
    };
    const auto progress = [&] { return done(); };
    teams_.each(r, work >= worth_a_team, charge, progress, f);
  }
  /// f(i) for i in [0, n), with asks between.
  template <class F, class Ask>
  static void each_of(std::int64_t n, double bytes, const Ask& ask, const F& f) {
    for (std::int64_t i = 0; i < n;) {
      const std::int64_t end = std::min(n, i + between_asks), looks = end - i;
      for (; i < end; ++i) f(i);
      if (!ask(looks, bytes)) return;
    }
  }
  /// Of what one rank's first thread may look at; a guess.
  [[nodiscard]] double done() const {
    const double all =
        static_cast<double>(of_.arcs() + 8 * vertices() + 1) * (in_two_ ? 2 : 4) / threads_;
    return std::min(1.0, static_cast<double>(looked_) / all);
  }

  /// Every vertex is a component, and no arc is in the forest.
  void begin_again(rank& r) {
    if (r.id() == 0) looked_ = 0;
    const std::int64_t words = std::ssize(all_.chosen.span());
    each_thread(r, vertices(), [&](int t, const auto& ask) {
      const std::int64_t first = first_vertex_[static_cast<std::size_t>(t)],
                         last = first_vertex_[static_cast<std::size_t>(t) + 1];
      std::iota(all_.parent.data() + first, all_.parent.data() + last, static_cast<Id>(first));
      if constexpr (!in_order) {
        std::iota(all_.names.data() + first, all_.names.data() + last, static_cast<Id>(first));
        std::fill(all_.lowest.data() + first, all_.lowest.data() + last, last_of_all);
      }
      if constexpr (!in_order && !Packed)
        std::fill(all_.nearest.data() + first, all_.nearest.data() + last, last_of_all);
      std::fill(all_.chosen.data() + words * t / threads_,
                all_.chosen.data() + words * (t + 1) / threads_, 0);
      count(t) = {0, last - first, 0};
      ask(last - first, sizeof(Id) * 2 + 8.0);
    });
  }

  /// Every vertex knows its component's name, and threads list the names.
  void rename(rank& r) {
    each_thread(r, vertices(), [&](int t, const auto& ask) {
      const std::int64_t first = first_vertex_[static_cast<std::size_t>(t)],
                         last = first_vertex_[static_cast<std::size_t>(t) + 1];
      Id* to = in_order ? nullptr : names_of(t);
      each_of(last - first, line, ask, [&](std::int64_t i) {
        const auto v = static_cast<Id>(first + i);
        if (root_of(v) == v && !in_order) *to++ = v;
      });
      if constexpr (!in_order) count(t).names = to - names_of(t);
    });
  }

  /// The component of v, of which all on the way there then know. Others may do so at once: what
  /// is read is on the way, or its end.
  Id root_of(Id v) {
    Id* const parent = all_.parent.data();
    const auto of = [&](Id x) { return std::atomic_ref(parent[x]).load(relaxed); };
    Id root = v;
    for (Id next = of(root); next != root; next = of(root)) root = next;
    while (v != root) {
      const Id next = of(v);
      if (next != root) std::atomic_ref(parent[v]).store(root, relaxed);
      v = next;
    }
    return root;
  }

  /// Takes edges from rows: of two parts first those that come first, then those that lead from
  /// one component to another.
  void gather(rank& r, int part) {
    each_thread(r, of_.arcs(), [&](int t, const auto& ask) {
      edge_type* to = edges_of(t);
      const edge_type* const begin = to;
      const std::int64_t last = first_vertex_[static_cast<std::size_t>(t) + 1];
      std::int64_t looks = 0;
      for (std::int64_t u = first_vertex_[static_cast<std::size_t>(t)]; u < last; ++u) {
        if (part > 0)
          gather_leading_out(u, to);
        else if (in_two_)
          gather_first_ones(u, to);
        else
          gather_all(u, to);
        looks += 1 + std::ssize(rows_.row(u));
        if (looks < between_asks) continue;
        if (!ask(std::exchange(looks, 0), sizeof(Id) + 16.0)) return;
      }
      ask(looks, sizeof(Id) + 16.0);
      count(t).edges = to - begin;
    });
  }

  void add(edge_type*& to, Id u, Id v, std::uint64_t rank, std::int64_t arc) {
    *to = edge_type::of(u, v, rank, arc);
    if constexpr (!in_order) offer(*to);
    ++to;
  }
  void gather_all(std::int64_t u, edge_type*& to) {
    const auto row = rows_.row(u);
    for (std::size_t i = first_greater(row, u); i < row.size(); ++i) {
      if (static_cast<std::int64_t>(row[i]) <= u) continue;
      const std::int64_t arc = rows_.offsets[u] + static_cast<std::int64_t>(i);
      add(to, static_cast<Id>(u), row[i], rank_of_arc(arc), arc);
    }
  }
  void gather_first_ones(std::int64_t u, edge_type*& to) {
    const auto row = rows_.row(u);
    if (in_order && rows_.offsets[u] > last_of_first_.second) return;
    for (std::size_t i = first_greater(row, u); i < row.size(); ++i) {
      const std::int64_t arc = rows_.offsets[u] + static_cast<std::int64_t>(i);
      const std::uint64_t rank = rank_of_arc(arc);
      if (rank > last_of_first_.first || rank_and_arc(rank, arc) > last_of_first_) continue;
      if (static_cast<std::int64_t>(row[i]) > u) add(to, static_cast<Id>(u), row[i], rank, arc);
    }
  }
  void gather_leading_out(std::int64_t u, edge_type*& to) {
    const auto row = rows_.row(u);
    const Id* const parent = all_.parent.data();
    const Id own = parent[u];
    for (std::size_t i = first_greater(row, u); i < row.size(); ++i) {
      const Id other = parent[row[i]];
      if (other == own || static_cast<std::int64_t>(row[i]) <= u) continue;
      const std::int64_t arc = rows_.offsets[u] + static_cast<std::int64_t>(i);
      add(to, own, other, rank_of_arc(arc), arc);
    }
  }

  void offer(const edge_type& e) {
    lower(all_.lowest[e.u], e.key, alone());
    lower(all_.lowest[e.v], e.key, alone());
  }
  /// Of edges of the smallest weight the smallest arc.
  void offer_arcs(rank& r, std::int64_t left) requires(!Packed) {
    each_thread(r, left, [&](int t, const auto& ask) {
      const edge_type* const edges = edges_of(t);
      each_of(count(t).edges, sizeof(edge_type) + 2 * line, ask, [&](std::int64_t i) {
        const edge_type& e = edges[i];
        if (all_.lowest[e.u] == e.key) lower(all_.nearest[e.u], e.place, alone());
        if (all_.lowest[e.v] == e.key) lower(all_.nearest[e.v], e.place, alone());
      });
    });
  }
  [[nodiscard]] bool is_first(const edge_type& e, Id of) const {
    if constexpr (Packed)
      return all_.lowest[of] == e.key;
    else
      return all_.lowest[of] == e.key && all_.nearest[of] == e.place;
  }

  /// The first edge of a component is the forest's, and the component takes the other's name; of
  /// two that have the same first edge the smaller name stays. No longer circle can be: in it some
  /// edge would come before the one behind it, all the way round.
  void choose(rank& r, std::int64_t left) {
    each_thread(r, left, [&](int t, const auto& ask) {
      const edge_type* const edges = edges_of(t);
      Id* const parent = all_.parent.data();
      each_of(count(t).edges, sizeof(edge_type) + 2 * line, ask, [&](std::int64_t i) {
        const edge_type& e = edges[i];
        const bool of_u = is_first(e, e.u), of_v = is_first(e, e.v);
        if (!of_u && !of_v) return;
        if (of_u && (!of_v || e.u > e.v))
          parent[e.u] = e.v;
        else
          parent[e.v] = e.u;
        std::uint64_t& word = all_.chosen[static_cast<std::size_t>(e.arc() / 64)];
        std::atomic_ref(word).fetch_or(std::uint64_t{1} << (e.arc() % 64), relaxed);
      });
    });
  }

  /// Components' names lead to what they were joined to; those with edges that stay are listed.
  void join(rank& r, std::int64_t left) {
    each_thread(r, left, [&](int t, const auto& ask) {
      Id* const names = names_of(t);
      Id* to = names;
      each_of(count(t).names, line, ask, [&](std::int64_t i) {
        const Id name = names[i];
        if (root_of(name) != name || all_.lowest[name] == last_of_all) return;
        all_.lowest[name] = last_of_all;
        if constexpr (!Packed) all_.nearest[name] = last_of_all;
        *to++ = name;
      });
      count(t).names = to - names;
    });
  }

  /// Edges have the components' new names; those within one are dropped.
  void drop_inner(rank& r, std::int64_t left) {
    each_thread(r, left, [&](int t, const auto& ask) {
      edge_type* const edges = edges_of(t);
      edge_type* to = edges;
      const Id* const parent = all_.parent.data();
      each_of(count(t).edges, sizeof(edge_type) + 2 * line, ask, [&](std::int64_t i) {
        edge_type e = edges[i];
        e.u = parent[e.u];
        e.v = parent[e.v];
        if (e.u == e.v) return;
        *to++ = e;
        offer(e);
      });
      count(t).edges = to - edges;
    });
  }

  /// Lists the forest's arcs: threads count those of their words, then write them.
  void collect(rank& r) {
    const std::int64_t words = std::ssize(all_.chosen.span());
    const auto own_words = [&](int t) {
      return all_.chosen.span().subspan(
          static_cast<std::size_t>(words * t / threads_),
          static_cast<std::size_t>(words * (t + 1) / threads_ - words * t / threads_));
    };
    each_thread(r, words, [&](int t, const auto& ask) {
      std::int64_t found = 0;
      for (const std::uint64_t word : own_words(t)) found += std::popcount(word);
      count(t).found = found;
      ask(std::ssize(own_words(t)), 8);
    });
    meet(r);
    each_thread(r, words, [&](int t, const auto& ask) {
      std::int64_t* to = arcs_.data() + sum(&own_count::found, t);
      std::int64_t first = words * t / threads_ * 64;
      for (std::uint64_t word : own_words(t)) {
        for (; word != 0; word &= word - 1) *to++ = first + std::countr_zero(word);
        first += 64;
      }
      ask(std::ssize(own_words(t)), 8);
    });
  }

  machine& on_;
  const graph of_;
  csr_view<Id> rows_;
  bool sorted_;
  std::span<const Weight> weights_;
  algorithm_detail::rank_teams teams_;
  int threads_;                                          ///< of all ranks
  std::vector<std::int64_t> first_vertex_, first_edge_;  ///< [threads + 1]
  bool in_two_ = false;                                  ///< the first edges are joined alone, and
  rank_and_arc last_of_first_;                           ///< these are they
  shared_arrays<Id, Packed> all_;
  std::vector<own_count> counts_;  ///< [threads]
  shared_array<std::int64_t> arcs_;
  std::atomic<std::int64_t> looked_{0};
};

template <class Id, class Weight>
std::unique_ptr<engine> make_of(const preparation& from) {
  if (is_packed(sizeof(Weight), from.of.arcs()))
    return std::make_unique<cpu_sync<Id, Weight, true>>(from);
  return std::make_unique<cpu_sync<Id, Weight, false>>(from);
}

template <class Id>
std::unique_ptr<engine> make_of(const preparation& from) {
  return of_weights(from.of, [&]<class Weight>(Weight) { return make_of<Id, Weight>(from); });
}

template <class Id, bool Packed>
sync_bytes bytes_of(const problem& p) {
  shared_arrays<Id, Packed> all;
  array_list edges, vertices, arcs;
  all.list_edges(edges, p.arcs / 2);
  all.list_vertices(vertices, p.vertices, p.weight_width > 0);
  all.list_arcs(arcs, p.arcs);
  return {edges.bytes().own, vertices.bytes().own, arcs.bytes().own};
}

template <class Id>
sync_bytes bytes_of(const problem& p) {
  return is_packed(static_cast<std::size_t>(p.weight_width), p.arcs) ? bytes_of<Id, true>(p)
                                                                     : bytes_of<Id, false>(p);
}

}  // namespace

sync_bytes sync_bytes_of(const problem& p) {
  return p.id_width == 4 ? bytes_of<vertex32>(p) : bytes_of<vertex64>(p);
}

std::unique_ptr<engine> make_sync(const preparation& from) {
  if (from.of.id_width() == 4) return make_of<vertex32>(from);
  return make_of<vertex64>(from);
}

}  // namespace gossamer::spanning_forest_detail
