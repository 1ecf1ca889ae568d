// placed_graph: builds every rank's slice in its own memory, sharing the caller's arrays where
// placed ids are the caller's.
#include <algorithm>
#include <chrono>

#include "placement/placement_state.hpp"

namespace gossamer {

namespace {

using placement_detail::division;
using placement_detail::typed_slices;

/// Offsets and columns of one direction of one slice.
template <class Id>
struct rows_of {
  const edge_offset* offsets;
  const Id* columns;
};

template <class Id, class Stored>
class slice_builder {
 public:
  slice_builder(placed_graph::state& state, typed_slices<Id>& typed, const place_options& options)
      : state_(state), typed_(typed), options_(options) {}

  void build(int rank) {
    const device& d = (*state_.on)[rank];
    graph_slice<Id> slice;
    slice.rows = state_.owners.local_size(rank);
    if (!state_.on->here(rank)) {  // its own process has it
      typed_.slices.push_back(slice);
      typed_.vertex_of_at.push_back(nullptr);
      return;
    }
    const auto out = direction(state_.source, rank, slice.rows);
    slice.offsets = out.offsets;
    slice.columns = out.columns;
    if (shares(d) && state_.on->size() == 1) slice.rows = state_.source.vertices();
    slice.arcs = arcs_;
    if (state_.in_adjacency) {
      const auto in = state_.source.symmetric
                          ? out
                          : direction(state_.reversed, rank, state_.owners.local_size(rank));
      slice.in_offsets = in.offsets;
      slice.in_columns = in.columns;
      slice.in_arcs = arcs_;
    }
    typed_.slices.push_back(slice);
    typed_.vertex_of_at.push_back(typed_.vertex_of.data());
    if (d.is_cuda() && !typed_.vertex_of.empty()) {
      typed_.vertex_of_at.back() =
          upload(d, typed_.columns, typed_.vertex_of.data(), typed_.vertex_of.size());
    }
  }

 private:
  bool shares(const device& d) const {
    return state_.identity && !d.is_cuda() && std::is_same_v<Id, Stored>;
  }

  template <class T>
  const T* upload(const device& d, std::vector<buffer<T>>& keep, const T* data, std::size_t n) {
    keep.push_back(make_native_buffer<T>(d, std::max<std::size_t>(n, 1)));
    copy_bytes(keep.back().data(), data, n * sizeof(T));
    return keep.back().data();
  }

  rows_of<Id> direction(const graph& g, int rank, std::int64_t rows) {
    const device& d = (*state_.on)[rank];
    const csr_view<Stored> view = g.view<Stored>();
    const std::int64_t n = view.vertices();
    const std::int64_t first = rows > 0 ? state_.owners.global(rank, 0) : 0;
    if (shares(d) && state_.on->size() == 1) {
      arcs_ = g.arcs();
      return {view.offsets.data(), reinterpret_cast<const Id*>(view.indices.data())};
    }
    // Offsets of this rank's rows from 0; holes are empty rows.
    buffer<edge_offset> offsets(memory_kind::host, -1, rows + 1);
    edge_offset sum = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (i % (1 << 18) == 0) placement_detail::check_stop(options_);
      offsets.data()[i] = sum;
      const std::int64_t v = vertex_at(first, i);
      if (v >= 0 && v < n) sum += view.offsets[v + 1] - view.offsets[v];
    }
    offsets.data()[rows] = arcs_ = sum;
    rows_of<Id> result{nullptr, nullptr};
    if (state_.identity && std::is_same_v<Id, Stored>) {
      const auto* columns = reinterpret_cast<const Id*>(view.indices.data()) +
                            (rows > 0 ? view.offsets[std::min(first, n)] : 0);
      result.columns = d.is_cuda() ? upload(d, typed_.columns, columns, sum) : columns;
    } else {
      buffer<Id> columns(memory_kind::host, -1, std::max<edge_offset>(sum, 1));
      fill(view, first, rows, offsets.data(), columns.data());
      if (d.is_cuda()) {
        result.columns = upload(d, typed_.columns, columns.data(), sum);
      } else {
        result.columns = columns.data();
        typed_.columns.push_back(std::move(columns));
      }
    }
    if (d.is_cuda()) {
      result.offsets = upload(d, typed_.offsets, offsets.data(), rows + 1);
    } else {
      result.offsets = offsets.data();
      typed_.offsets.push_back(std::move(offsets));
    }
    return result;
  }

  /// Caller's vertex of local index i of a rank whose placed ids start at `first`.
  std::int64_t vertex_at(std::int64_t first, std::int64_t i) const {
    return typed_.vertex_of.empty() ? first + i : typed_.vertex_of[first + i];
  }

  /// Rows with placed ids as columns, ascending.
  void fill(const csr_view<Stored>& view, std::int64_t first, std::int64_t rows,
            const edge_offset* offsets, Id* columns) const {
    const Id* placed_of = typed_.placed_of.data();
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1024)
#endif
    for (std::int64_t i = 0; i < rows; ++i) {
      Id* out = columns + offsets[i];
      // No exception may leave the region: the rest of the rows is skipped, and the stop seen
      // after.
      if (offsets[i] == offsets[i + 1] || options_.stop.stop_requested()) continue;
      for (Stored u : view.row(vertex_at(first, i))) {
        *out++ = placed_of != nullptr ? placed_of[u] : static_cast<Id>(u);
      }
      std::sort(columns + offsets[i], out);
    }
    placement_detail::check_stop(options_);
  }

  placed_graph::state& state_;
  typed_slices<Id>& typed_;
  const place_options& options_;
  edge_offset arcs_ = 0;
};

template <class Id>
void build(placed_graph::state& s, const division& d, const place_options& options) {
  auto& typed = s.typed.emplace<typed_slices<Id>>();
  if (!s.identity) {
    placement_detail::permute<Id>(d, s.source, s.owners, options, typed.placed_of, typed.vertex_of);
  }
  for (int r = 0; r < s.on->size(); ++r) {
    placement_detail::check_stop(options);
    if (s.source.id_width() == 4) {
      slice_builder<Id, vertex32>(s, typed, options).build(r);
    } else {
      slice_builder<Id, vertex64>(s, typed, options).build(r);
    }
  }
}

}  // namespace

namespace placement_detail {

void place_owners(placed_graph::state& s) {
  const ownership_view host = s.owners.view();
  for (int r = 0; r < s.on->size(); ++r) {
    const device& d = (*s.on)[r];
    ownership_view view = host;
    if (d.is_cuda()) {
      // One block: `first` (8-byte entries) in front, then the three tables of 4-byte entries.
      const std::size_t first_bytes = (host.ranks + 1) * sizeof(std::int64_t);
      const std::size_t table_bytes = host.blocks * sizeof(std::int32_t);
      s.owner_tables.push_back(make_native_buffer<std::byte>(d, first_bytes + 3 * table_bytes));
      std::byte* at = s.owner_tables.back().data();
      copy_bytes(at, host.first, first_bytes);
      view.first = reinterpret_cast<const std::int64_t*>(at);
      at += first_bytes;
      for (auto table :
           {&ownership_view::rank_of, &ownership_view::local_of, &ownership_view::block_at}) {
        copy_bytes(at, host.*table, table_bytes);
        view.*table = reinterpret_cast<const std::int32_t*>(at);
        at += table_bytes;
      }
    }
    s.owners_at.push_back(view);
  }
}

}  // namespace placement_detail

placed_graph place(machine& m, const graph& g, const place_options& options) {
  using namespace placement_detail;
  const auto begin = std::chrono::steady_clock::now();
  auto s = std::make_shared<placed_graph::state>();
  if (options.partition == "metis") {  // takes long: what cannot fit anyway is refused before
    memory_plan even;
    even.limit_to(m, options.memory);
    plan_slices(even, m, shape_of(g), divide(g, m.size(), options, true), options.both_directions,
                certainty::about, certainty::about);
    even.check();
  }
  division d = divide(g, m.size(), options, false);
  s->plan.limit_to(m, options.memory);
  plan_slices(s->plan, m, shape_of(g), d, options.both_directions, certainty::exact,
              certainty::exact);
  s->plan.check();
  s->source = g;
  s->vertices = g.vertices();
  s->arcs = g.arcs();
  s->on = &m;
  s->identity = d.identity;
  s->owners = own(d);
  s->in_adjacency = g.symmetric || options.both_directions;
  if (!g.symmetric && options.both_directions) {
    graph bare = g;  // slices have no weights, and neither has the plan
    bare.weights = std::monostate{};
    s->reversed = bare.transposed(options.stop);
  }
  if (placed_width(d, shape_of(g)) == 4) {
    build<vertex32>(*s, d, options);
  } else {
    build<vertex64>(*s, d, options);
  }
  place_owners(*s);
  s->uploads = 1;
  s->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return placed_graph(std::move(s));
}

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
  return state_->list_ends.empty() ? nullptr : state_->list_ends.at(rank).data();
}
std::int64_t placed_graph::degree(std::int64_t vertex) const {
  require(vertex >= 0 && vertex < state_->vertices, "degree: no such vertex");
  if (state_->whole) return state_->source.degree(vertex);
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
const ownership_view& placed_graph::owners_at(int rank) const {
  return state_->owners_at.at(rank);
}
const memory_plan& placed_graph::plan() const noexcept {
  return state_->plan;
}
bool placed_graph::has_in_adjacency() const noexcept {
  return state_->in_adjacency;
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
  return typed->slices.at(rank);
}

template <class Id>
const Id* placed_graph::vertex_of_placed(int rank) const {
  const auto* typed = std::get_if<typed_slices<Id>>(&state_->typed);
  require(typed != nullptr, "placed_graph: placed ids have another width");
  return typed->vertex_of_at.at(rank);
}

template const graph_slice<vertex32>& placed_graph::slice<vertex32>(int) const;
template const graph_slice<vertex64>& placed_graph::slice<vertex64>(int) const;
template const vertex32* placed_graph::vertex_of_placed<vertex32>(int) const;
template const vertex64* placed_graph::vertex_of_placed<vertex64>(int) const;

std::int64_t placed_graph::placed_id(std::int64_t vertex) const {
  require(vertex >= 0 && vertex < state_->vertices, "placed_id: no such vertex");
  if (state_->identity) return vertex;
  return std::visit([&](const auto& t) { return std::int64_t{t.placed_of[vertex]}; },
                    state_->typed);
}

std::int64_t placed_graph::vertex(std::int64_t placed) const {
  if (state_->identity) return placed < state_->vertices ? placed : -1;
  return std::visit([&](const auto& t) { return std::int64_t{t.vertex_of[placed]}; },
                    state_->typed);
}

}  // namespace gossamer
