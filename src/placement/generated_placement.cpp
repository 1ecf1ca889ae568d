// generate_placed: two runs of the machine, one that counts and one that puts, and the exact plan
// in between. What a rank does in them is generated_rows.hpp's.
#include "gossamer/placement/generated_placement.hpp"

#include <chrono>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/digest.hpp"
#include "gossamer/graph/gpu_row_maker.hpp"
#include "placement/generated_rows.hpp"
#include "placement/placement_state.hpp"

namespace gossamer {
namespace {

using placement_detail::division;
using placement_detail::made_rows;
using placement_detail::own_rows;
using placement_detail::sent_rows;
using placement_detail::typed_slices;

/// Shares of the progress: counting, putting; the rest is for sorting.
constexpr double counted_share = 0.4, put_share = 0.85;

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
  spec.require_list();
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

/// Of everything that edges are made from; what a spec leaves out counts as what that means.
std::uint64_t digest_of_spec(const generator_spec& spec) {
  const auto number = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  return digest_of({number(static_cast<int>(spec.kind)), number(spec.scale),
                    number(spec.edge_factor), number(spec.width), number(spec.height), spec.keep,
                    spec.seed});
}

/// What all processes must have been given alike.
std::vector<run_term> terms_of(const machine& m, const generator_spec& spec, int width,
                               const generate_placed_options& options) {
  if (m.all_here()) return {};
  return {{"program", "generating in parts"},
          {"graph", std::to_string(spec.vertices()) + " vertices, " +
                        std::to_string(spec.candidates()) + " edges to make, digest " +
                        digest_text(digest_of_spec(spec))},
          {"bytes of ids", std::to_string(width)},
          {"edges of a round", std::to_string(options.round_edges)}};
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
               placement_detail::exchange_bytes(m.size(), width, options));
  }
  return plan;
}

/// Both runs, for one width of ids and one kind of ranks.
template <class Id, class Rows>
class graph_maker {
 public:
  graph_maker(machine& m, const generator_spec& spec, const generate_placed_options& options,
              placed_graph::state& state)
      : machine_(m), state_(state), run_(Rows::run_with(m, options)) {
    run_.cancel = options.stop;
    run_.progress = options.progress;
    run_.terms = terms_of(m, spec, sizeof(Id), options);
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
    std::vector<made_rows> all(machine_.size());
    machine_.run(
        [&](rank& r) { tell(r, rows_[r.id()]->count(r, share(r, 0, counted_share)), all); }, run_);
    std::vector<counted_rows> counted;
    for (const made_rows& of_rank : all) counted.push_back({of_rank.counted, of_rank.longest});
    return counted;
  }

  /// Puts and sorts the columns. Returns what all ranks together made.
  made_rows put() {
    std::vector<made_rows> all(machine_.size());
    machine_.run(
        [&](rank& r) {
          Rows& rows = *rows_[r.id()];
          rows.put(r, share(r, counted_share, put_share));
          tell(r, rows.finish(share(r, put_share, 1)), all);
        },
        run_);
    made_rows sum;
    for (const made_rows& of_rank : all) {
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
  static void tell(rank& r, const made_rows& mine, std::vector<made_rows>& all) {
    std::vector<made_rows> heard(r.size());
    r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(heard)));
    if (r.id() == 0 || !r.owner().all_here()) all = std::move(heard);
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
  const made_rows all = maker.put();
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
  s->made_of = digest_of_spec(spec);
  s->on = &m;
  s->owners = placement_detail::own(d);
  s->bounds =
      placement_detail::bounds_of(placement_detail::sizes_of(d), d.identity ? s->vertices : -1);
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
