// generate_placed: two runs of the machine, one that counts and one that puts, and the exact plan
// in between. On GPUs the rows are the graph layer's (gpu_row_maker.hpp), and nothing is sent.
#include "gossamer/placement/generated_placement.hpp"

#include <chrono>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/gpu_row_maker.hpp"
#include "placement/arc_exchange.hpp"
#include "placement/placement_state.hpp"
#include "placement/row_builder.hpp"

namespace gossamer {
namespace {

using placement_detail::arc;
using placement_detail::arc_exchange;
using placement_detail::division;
using placement_detail::edge_share;
using placement_detail::row_builder;
using placement_detail::typed_slices;

/// Shares of the progress: counting, putting; the rest is for sorting.
constexpr double counted_share = 0.4, put_share = 0.85;

std::int64_t round_of(const generate_placed_options& options, int ranks) {
  if (options.round_edges > 0) return options.round_edges;
  return std::max<std::int64_t>(1024, (std::int64_t{1} << 18) / ranks);
}

graph_shape shape_of(const generator_spec& spec) {
  graph_shape shape;
  shape.vertices = spec.vertices();
  shape.arcs = 2 * spec.candidates();
  shape.id_width = configuration::narrow_ids(shape.vertices) ? 4 : 8;
  shape.symmetric = true;
  shape.arcs_are = certainty::at_most;
  return shape;
}

void check(const machine& m, const generator_spec& spec, const generate_placed_options& options) {
  require(!spec.matrix(), spec.text + " is a matrix: it has no list of edges");
  require(options.round_edges >= 0, "generate_placed: a negative number of entries in a round");
  for (int r = 0; r < m.size(); ++r)
    require(m[r].is_cuda() == m[0].is_cuda(), "generating a graph in parts: " + m.spec() +
                                                  " has CPU ranks and GPUs; place a graph " +
                                                  "made in one place instead");
}

division divide(const machine& m, const generator_spec& spec) {
  division d = placement_detail::divide(shape_of(spec), m.size(), {});
  require(d.identity, spec.text + ": fewer than 512 vertices for each of " +
                          std::to_string(m.size()) + " ranks; make it in one place instead");
  return d;
}

std::int64_t exchange_bytes(int ranks, int width, std::int64_t round) {
  return width == 4 ? arc_exchange<vertex32>::arena_bytes(ranks, round)
                    : arc_exchange<vertex64>::arena_bytes(ranks, round);
}

/// What a rank counted, or is taken to count.
struct counted_rows {
  std::int64_t arcs, longest;
};

/// Everything there is while a graph is made.
memory_plan plan_ranks(const machine& m, const graph_shape& shape, const division& d,
                       const generate_placed_options& options,
                       const std::vector<counted_rows>& counted, certainty sure) {
  memory_plan plan;
  plan.limit_to(m, options.memory);
  const ownership_sizes owners = placement_detail::sizes_of(d);
  const int width = placement_detail::placed_width(d, shape);
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    const memory_kind kind = native_memory(m[r]);
    const std::int64_t rows = owners.local_size(r);
    plan.add(r, kind, "offsets", (rows + 1) * 8);
    plan.add(r, kind, "ends of entries", rows * 8);
    plan.add(r, kind, "columns", counted[r].arcs * width, sure);
    if (m[r].is_cuda())
      plan.add(r, kind, "sorting",
               gpu_row_maker<vertex32>::sorting_bytes(counted[r].arcs, counted[r].longest), sure);
    else
      plan.add(r, kind, "arcs on their way",
               exchange_bytes(m.size(), width, round_of(options, m.size())));
  }
  return plan;
}

/// What ranks tell each other about what they made.
struct made {
  std::int64_t counted = 0, longest = 0, arcs = 0, self_loops = 0;
};

/// The steps on CPU ranks: arcs go to the owners of their rows.
template <class Id>
class sent_rows {
 public:
  static run_options run_with(const machine& m, const generate_placed_options& options) {
    run_options run;
    const auto bytes =
        static_cast<std::size_t>(exchange_bytes(m.size(), sizeof(Id), round_of(options, m.size())));
    run.arenas = {{bytes, std::size_t{64} << 10}};
    return run;
  }
  sent_rows(const device& d, const generator_spec& spec, const generate_placed_options& options,
            const ownership& owners, std::int64_t first, std::int64_t rows)
      : owners_(owners),
        options_(options),
        maker_(make_edge_maker(spec)),
        edges_(spec.candidates()),
        rows_(d, first, rows) {}

  template <class Tell>
  made count(rank& r, const Tell& tell) {
    each_arc(
        r, [&](std::span<const arc<Id>> arcs) { rows_.count(arcs); }, tell);
    return {rows_.begin_rows()};
  }
  template <class Tell>
  void put(rank& r, const Tell& tell) {
    rows_.allocate_columns();
    each_arc(
        r, [&](std::span<const arc<Id>> arcs) { rows_.put(arcs); }, tell);
  }
  template <class Tell>
  made finish(const Tell& tell) {
    rows_.finish(tell);
    return {rows_.counted(), 0, rows_.arcs(), rows_.self_loops()};
  }
  row_builder<Id>& rows() { return rows_; }

 private:
  template <class Take, class Tell>
  void each_arc(rank& r, const Take& take, const Tell& tell) {
    const edge_share share = edge_share::of(edges_, r.id(), r.size(), round_of(options_, r.size()));
    arc_exchange<Id>(r, owners_, maker_, share).run(take, tell);
    r.barrier();
  }

  const ownership& owners_;
  const generate_placed_options& options_;
  edge_maker maker_;
  std::int64_t edges_;
  row_builder<Id> rows_;
};

/// The steps on GPUs: each makes the whole list.
template <class Id>
class own_rows {
 public:
  static run_options run_with(const machine&, const generate_placed_options&) { return {}; }
  own_rows(const device& d, const generator_spec& spec, const generate_placed_options&,
           const ownership&, std::int64_t first, std::int64_t rows)
      : rows_(d, spec, first, rows) {}

  template <class Tell>
  made count(rank&, const Tell& tell) {
    rows_.count(tell);
    return {rows_.counted(), rows_.longest()};
  }
  template <class Tell>
  void put(rank&, const Tell& tell) {
    rows_.put(tell);
  }
  template <class Tell>
  made finish(const Tell& tell) {
    rows_.finish(tell);
    return {rows_.counted(), rows_.longest(), rows_.arcs(), rows_.self_loops()};
  }
  gpu_row_maker<Id>& rows() { return rows_; }

 private:
  gpu_row_maker<Id> rows_;
};

/// Both runs, for one width of ids and one kind of ranks.
template <class Id, class Rows>
class graph_maker {
 public:
  graph_maker(machine& m, const generator_spec& spec, const generate_placed_options& options,
              placed_graph::state& state)
      : machine_(m), state_(state), run_(Rows::run_with(m, options)) {
    run_.cancel = options.stop;
    run_.progress = options.progress;
    for (int r = 0; r < m.size(); ++r) rows_.emplace_back(nullptr);
    for (int r = 0; r < m.size(); ++r) {
      if (!m.here(r)) continue;
      const std::int64_t n = state.owners.local_size(r);
      rows_[r] = std::make_unique<Rows>(m[r], spec, options, state.owners,
                                        n > 0 ? state.owners.global(r, 0) : 0, n);
    }
  }

  /// Counts the arcs of every row; what each rank will hold before duplicates go.
  std::vector<counted_rows> count() {
    std::vector<made> all(machine_.size());
    machine_.run(
        [&](rank& r) { tell(r, rows_[r.id()]->count(r, share(r, 0, counted_share)), all); }, run_);
    std::vector<counted_rows> counted;
    for (const made& of_rank : all) counted.push_back({of_rank.counted, of_rank.longest});
    return counted;
  }

  /// Puts and sorts the columns. Returns what all ranks together made.
  made put() {
    std::vector<made> all(machine_.size());
    machine_.run(
        [&](rank& r) {
          Rows& rows = *rows_[r.id()];
          rows.put(r, share(r, counted_share, put_share));
          tell(r, rows.finish(share(r, put_share, 1)), all);
        },
        run_);
    made sum;
    for (const made& of_rank : all) {
      sum.counted += of_rank.counted;
      sum.arcs += of_rank.arcs;
      sum.self_loops += of_rank.self_loops;
    }
    return sum;
  }

  /// Hands the slices over.
  void finish() {
    auto& typed = state_.typed.template emplace<typed_slices<Id>>();
    for (int r = 0; r < machine_.size(); ++r) {
      graph_slice<Id> slice;
      slice.rows = state_.owners.local_size(r);
      state_.list_ends.emplace_back();
      if (rows_[r] != nullptr) {
        auto& rows = rows_[r]->rows();
        slice.arcs = slice.in_arcs = rows.arcs();
        slice.offsets = slice.in_offsets = rows.offsets().data();
        slice.columns = slice.in_columns = rows.columns().data();
        typed.offsets.push_back(std::move(rows.offsets()));
        typed.columns.push_back(std::move(rows.columns()));
        state_.list_ends.back() = std::move(rows.ends());
      }
      typed.slices.push_back(slice);
      typed.vertex_of_at.push_back(nullptr);
    }
  }

 private:
  /// What a step calls with the share of it that is done.
  static auto share(rank& r, double from, double to) {
    return [&r, from, to](double part) { r.progress(from + (to - from) * part); };
  }

  /// Where ranks are threads of one process, each writes the same into `all`: rank 0 does.
  static void tell(rank& r, const made& mine, std::vector<made>& all) {
    std::vector<made> heard(r.size());
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(heard)));
    if (r.id() == 0 || !r.owner().all_here()) all = heard;
  }

  machine& machine_;
  placed_graph::state& state_;
  run_options run_;
  std::vector<std::unique_ptr<Rows>> rows_;
};

std::string removed(std::int64_t count, const char* what) {
  return "removed " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

template <class Id, class Rows>
void make(machine& m, const generator_spec& spec, const generate_placed_options& options,
          const division& d, placed_graph::state& state) {
  graph_maker<Id, Rows> maker(m, spec, options, state);
  const graph_shape shape = shape_of(spec);
  state.plan = plan_ranks(m, shape, d, options, maker.count(), certainty::exact);
  state.plan.check();
  const made all = maker.put();
  maker.finish();
  state.arcs = all.arcs;
  // The same words as the builder's, so that a graph says the same wherever it was made.
  state.source.steps = {"symmetrized", removed(all.self_loops, "self-loop"),
                        removed(all.counted - all.arcs, "duplicate arc")};
}

template <class Id>
void make(machine& m, const generator_spec& spec, const generate_placed_options& options,
          const division& d, placed_graph::state& state) {
  m[0].is_cuda() ? make<Id, own_rows<Id>>(m, spec, options, d, state)
                 : make<Id, sent_rows<Id>>(m, spec, options, d, state);
}

}  // namespace

memory_plan plan_generate_placed(const machine& m, const generator_spec& spec,
                                 const generate_placed_options& options) {
  check(m, spec, options);
  const graph_shape shape = shape_of(spec);
  const std::int64_t arcs = (shape.arcs + m.size() - 1) / m.size();
  return plan_ranks(m, shape, divide(m, spec), options,
                    std::vector(m.size(), counted_rows{arcs, 0}),
                    m.size() == 1 ? certainty::at_most : certainty::about);
}

placed_graph generate_placed(machine& m, const generator_spec& spec,
                             const generate_placed_options& options) {
  const auto begin = std::chrono::steady_clock::now();
  plan_generate_placed(m, spec, options).check();
  const division d = divide(m, spec);
  auto s = std::make_shared<placed_graph::state>();
  s->source.name = spec.text;
  s->source.symmetric = true;
  s->vertices = spec.vertices();
  s->whole = false;
  s->on = &m;
  s->owners = placement_detail::own(d);
  s->in_adjacency = true;
  if (placement_detail::placed_width(d, shape_of(spec)) == 4)
    make<vertex32>(m, spec, options, d, *s);
  else
    make<vertex64>(m, spec, options, d, *s);
  placement_detail::place_owners(*s);
  s->uploads = 1;
  s->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return placed_graph(std::move(s));
}

}  // namespace gossamer
