// placed_graph: what it says of itself; place.cpp and generated_placement.cpp make it.
#include "gossamer/graph/digest.hpp"
#include "placement/placement_state.hpp"

namespace gossamer {

using placement_detail::typed_slices;

namespace {

/// Of what there is one a rank.
template <class T>
const T& of_rank(const std::vector<T>& all, int rank) {
  require(rank >= 0 && static_cast<std::size_t>(rank) < all.size(),
          "placed_graph: no rank " + std::to_string(rank) + " among " + std::to_string(all.size()));
  return all[static_cast<std::size_t>(rank)];
}

}  // namespace

placed_graph::placed_graph(std::shared_ptr<state> s) : state_(std::move(s)) {}

const graph& placed_graph::source() const {
  require(state_->whole,
          state_->source.name + " lies in parts on its ranks: no host array holds it");
  return state_->source;
}
bool placed_graph::whole() const noexcept {
  return state_->whole;
}
const std::string& placed_graph::name() const noexcept {
  return state_->source.name;
}
std::int64_t placed_graph::vertices() const noexcept {
  return state_->vertices;
}
std::int64_t placed_graph::arcs() const noexcept {
  return state_->arcs;
}
bool placed_graph::symmetric() const noexcept {
  return state_->source.symmetric;
}
bool placed_graph::sorted() const noexcept {
  return state_->source.sorted;
}
const std::vector<std::string>& placed_graph::steps() const noexcept {
  return state_->source.steps;
}
const std::int64_t* placed_graph::list_ends(int rank) const {
  return state_->list_ends.empty() ? nullptr : of_rank(state_->list_ends, rank).data();
}
std::int64_t placed_graph::degree(std::int64_t vertex) const {
  require(vertex >= 0 && vertex < state_->vertices, "degree: no such vertex");
  if (state_->whole && state_->source.gpu < 0) return state_->source.degree(vertex);
  const std::int64_t placed = placed_id(vertex);
  const int rank = state_->owners.owner(placed);
  require(state_->on->here(rank), "degree: the vertex is another process's");
  return std::visit(
      [&](const auto& typed) {
        edge_offset ends[2];
        copy_bytes(ends, typed.slices[rank].offsets + state_->owners.local(placed), sizeof ends);
        return ends[1] - ends[0];
      },
      state_->typed);
}
const ownership& placed_graph::owners() const noexcept {
  return state_->owners;
}
const std::vector<std::int64_t>& placed_graph::bounds() const noexcept {
  return state_->bounds;
}
const ownership_view& placed_graph::owners_at(int rank) const {
  return of_rank(state_->owners_at, rank);
}
std::uint64_t placed_graph::digest() const {
  const placed_graph::state& s = *state_;
  const ownership_view& owners = s.owners.view();
  const auto of = [](const auto* data, std::int64_t n) {
    return digest_of(std::as_bytes(std::span(data, static_cast<std::size_t>(n))), 0);
  };
  const std::uint64_t order = std::visit(
      [&](const auto& t) {
        return s.identity ? 0
                          : of(t.placed_of.data(), static_cast<std::int64_t>(t.placed_of.size()));
      },
      s.typed);
  return digest_of({s.made_of, static_cast<std::uint64_t>(owners.block_bits),
                    static_cast<std::uint64_t>(owners.ranks), of(owners.rank_of, owners.blocks),
                    order, s.in_adjacency, s.by_columns, static_cast<std::uint64_t>(id_width())});
}
const memory_plan& placed_graph::plan() const noexcept {
  return state_->plan;
}
bool placed_graph::has_in_adjacency() const noexcept {
  return state_->in_adjacency;
}
bool placed_graph::by_columns() const noexcept {
  return state_->by_columns;
}
int placed_graph::id_width() const noexcept {
  return state_->typed.index() == 0 ? 4 : 8;
}
bool placed_graph::identity() const noexcept {
  return state_->identity;
}
machine& placed_graph::on() const noexcept {
  return *state_->on;
}
double placed_graph::seconds() const noexcept {
  return state_->seconds;
}
int placed_graph::uploads() const noexcept {
  return state_->uploads;
}

template <class Id>
const graph_slice<Id>& placed_graph::slice(int rank) const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  require(!state_->by_columns,
          name() + " is placed by columns, for engine vector_queue of bfs: others need its rows");
  return of_rank(typed->slices, rank);
}

template <class Id>
const column_slice<Id>& placed_graph::column_slice(int rank) const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  require(state_->by_columns, name() + " is placed by rows");
  return of_rank(typed->column_slices, rank);
}

template <class Id>
const Id* placed_graph::vertex_of_placed(int rank) const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  return of_rank(typed->vertex_of_at, rank);
}

namespace {

template <class Id>
const Id* table_or_null(const shared_array<Id>& table) {
  return table.empty() ? nullptr : table.data();
}

}  // namespace

template <class Id>
const Id* placed_graph::vertices_by_id() const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  return table_or_null(typed->vertex_of);
}

template <class Id>
const Id* placed_graph::ids_by_vertex() const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  return table_or_null(typed->placed_of);
}

template const graph_slice<vertex32>& placed_graph::slice<vertex32>(int) const;
template const graph_slice<vertex64>& placed_graph::slice<vertex64>(int) const;
template const column_slice<vertex32>& placed_graph::column_slice<vertex32>(int) const;
template const column_slice<vertex64>& placed_graph::column_slice<vertex64>(int) const;
template const vertex32* placed_graph::vertex_of_placed<vertex32>(int) const;
template const vertex64* placed_graph::vertex_of_placed<vertex64>(int) const;
template const vertex32* placed_graph::vertices_by_id<vertex32>() const;
template const vertex64* placed_graph::vertices_by_id<vertex64>() const;
template const vertex32* placed_graph::ids_by_vertex<vertex32>() const;
template const vertex64* placed_graph::ids_by_vertex<vertex64>() const;

std::int64_t placed_graph::placed_id(std::int64_t vertex) const {
  require(vertex >= 0 && vertex < state_->vertices, "placed_id: no such vertex");
  if (state_->identity) return vertex;
  return std::visit([&](const auto& t) { return std::int64_t{t.placed_of[vertex]}; },
                    state_->typed);
}

std::int64_t placed_graph::vertex(std::int64_t placed) const {
  require(placed >= 0, "vertex: no such placed id");
  if (state_->identity) return placed < state_->vertices ? placed : -1;
  return std::visit(
      [&](const auto& t) {
        require(static_cast<std::size_t>(placed) < t.vertex_of.size(), "vertex: no such placed id");
        return std::int64_t{t.vertex_of[static_cast<std::size_t>(placed)]};
      },
      state_->typed);
}

planned_rows rows_of(const placed_graph& g) {
  planned_rows rows;
  rows.bounds = g.bounds();
  rows.moved = !g.identity();
  for (int r = 0; r < g.on().size(); ++r)
    rows.arcs.push_back(g.id_width() == 4 ? g.slice<vertex32>(r).arcs : g.slice<vertex64>(r).arcs);
  return rows;
}

}  // namespace gossamer
