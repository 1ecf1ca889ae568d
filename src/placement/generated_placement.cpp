// generate_placed: two runs of the machine, one that counts and one that puts, and the exact plan
// in between.
#include "gossamer/placement/generated_placement.hpp"

#include <chrono>

#include "gossamer/base/configuration.hpp"
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
    if (m[r].is_cuda())
      throw not_compiled("generating a graph in parts on GPUs",
                         "this version does so on CPU ranks; place(generate(…)) serves GPUs");
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

/// Everything but the columns, of which `arcs` are for each rank.
memory_plan plan_ranks(const machine& m, const graph_shape& shape, const division& d,
                       const generate_placed_options& options,
                       const std::vector<std::int64_t>& arcs, certainty sure) {
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
    plan.add(r, kind, "columns", arcs[r] * width, sure);
    plan.add(r, kind, "arcs on their way",
             exchange_bytes(m.size(), width, round_of(options, m.size())));
  }
  return plan;
}

/// What ranks tell each other about what they made.
struct made {
  std::int64_t counted = 0, arcs = 0, self_loops = 0;
};

/// Both runs, for one width of ids.
template <class Id>
class graph_maker {
 public:
  graph_maker(machine& m, const generator_spec& spec, const generate_placed_options& options,
              placed_graph::state& state)
      : machine_(m),
        options_(options),
        state_(state),
        maker_(make_edge_maker(spec)),
        edges_(spec.candidates()),
        round_(round_of(options, m.size())) {
    run_.cancel = options.stop;
    run_.progress = options.progress;
    const auto bytes = static_cast<std::size_t>(exchange_bytes(m.size(), sizeof(Id), round_));
    run_.arenas = {{bytes, std::size_t{64} << 10}};
    for (int r = 0; r < m.size(); ++r) rows_.emplace_back(nullptr);
    for (int r = 0; r < m.size(); ++r) {
      if (!m.here(r)) continue;
      const std::int64_t n = state.owners.local_size(r);
      rows_[r] = std::make_unique<row_builder<Id>>(m[r], n > 0 ? state.owners.global(r, 0) : 0, n);
    }
  }

  /// Counts the arcs of every row; returns how many each rank will hold before duplicates go.
  std::vector<std::int64_t> count() {
    std::vector<made> all(machine_.size());
    machine_.run(
        [&](rank& r) {
          row_builder<Id>& rows = *rows_[r.id()];
          each_arc(r, 0, counted_share, [&](std::span<const arc<Id>> arcs) { rows.count(arcs); });
          tell(r, {rows.begin_rows(), 0, 0}, all);
        },
        run_);
    std::vector<std::int64_t> counted;
    for (const made& of_rank : all) counted.push_back(of_rank.counted);
    return counted;
  }

  /// Puts and sorts the columns. Returns what all ranks together made.
  made put() {
    std::vector<made> all(machine_.size());
    for (const auto& rows : rows_)
      if (rows != nullptr) rows->allocate_columns();
    machine_.run(
        [&](rank& r) {
          row_builder<Id>& rows = *rows_[r.id()];
          each_arc(r, counted_share, put_share,
                   [&](std::span<const arc<Id>> arcs) { rows.put(arcs); });
          rows.finish([&](double part) { r.progress(put_share + (1 - put_share) * part); });
          tell(r, {rows.counted(), rows.arcs(), rows.self_loops()}, all);
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
        row_builder<Id>& rows = *rows_[r];
        slice.arcs = rows.arcs();
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
  template <class Take>
  void each_arc(rank& r, double from, double to, const Take& take) {
    const edge_share share = edge_share::of(edges_, r.id(), r.size(), round_);
    arc_exchange<Id> exchange(r, state_.owners, maker_, share);
    exchange.run(take, [&](double part) { r.progress(from + (to - from) * part); });
    r.barrier();
  }

  /// Where ranks are threads of one process, each writes the same into `all`: rank 0 does.
  static void tell(rank& r, const made& mine, std::vector<made>& all) {
    std::vector<made> heard(r.size());
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(heard)));
    if (r.id() == 0 || !r.owner().all_here()) all = heard;
  }

  machine& machine_;
  const generate_placed_options& options_;
  placed_graph::state& state_;
  edge_maker maker_;
  std::int64_t edges_, round_;
  run_options run_;
  std::vector<std::unique_ptr<row_builder<Id>>> rows_;
};

std::string removed(std::int64_t count, const char* what) {
  return "removed " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

template <class Id>
void make(machine& m, const generator_spec& spec, const generate_placed_options& options,
          const division& d, placed_graph::state& state) {
  graph_maker<Id> maker(m, spec, options, state);
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

}  // namespace

memory_plan plan_generate_placed(const machine& m, const generator_spec& spec,
                                 const generate_placed_options& options) {
  check(m, spec, options);
  const graph_shape shape = shape_of(spec);
  const std::int64_t arcs = (shape.arcs + m.size() - 1) / m.size();
  return plan_ranks(m, shape, divide(m, spec), options, std::vector(m.size(), arcs),
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
