// place: builds every rank's slice in its own memory, sharing the caller's arrays where placed ids
// are the caller's.
#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/machine/pieces.hpp"
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
    const bool here = state_.on->here(rank);  // else its own process has it
    const std::int64_t rows = state_.owners.local_size(rank);
    if (state_.by_columns)
      typed_.column_slices.push_back(here ? columns_of_rank(d, rank, rows)
                                          : column_slice<Id>{state_.owners.placed(), rows});
    else
      typed_.slices.push_back(here ? slice_of(d, rank, rows) : graph_slice<Id>{rows});
    typed_.vertex_of_at.push_back(here ? vertex_of_at(d) : nullptr);
  }

 private:
  bool shares(const device& d) const {
    return state_.identity && !d.is_cuda() && std::is_same_v<Id, Stored>;
  }

  graph_slice<Id> slice_of(const device& d, int rank, std::int64_t rows) {
    graph_slice<Id> slice;
    const auto out = direction(state_.source, d, rank, rows, false);
    slice.rows = shares(d) && state_.on->size() == 1 ? state_.source.vertices() : rows;
    slice.offsets = out.offsets;
    slice.columns = out.columns;
    slice.arcs = arcs_;
    if (state_.in_adjacency) {
      const auto in =
          state_.source.symmetric ? out : direction(state_.reversed, d, rank, rows, true);
      slice.in_offsets = in.offsets;
      slice.in_columns = in.columns;
      slice.in_arcs = arcs_;
    }
    return slice;
  }

  /// Every vertex's neighbours are looked at twice, for how many are the rank's and for which, so
  /// that no list of arcs is needed.
  column_slice<Id> columns_of_rank(const device& d, int rank, std::int64_t rows) {
    const csr_view<Stored> view = state_.source.view<Stored>();
    const std::int64_t placed = state_.owners.placed();
    buffer<edge_offset> offsets(memory_kind::host, -1, static_cast<std::size_t>(placed) + 1);
    edge_offset* const at = offsets.data();
    at[0] = 0;
    each_piece(placed, [&](std::int64_t u) {
      at[u + 1] = 0;
      each_own(view, u, rank, rows, [&](std::int64_t) { ++at[u + 1]; });
    });
    std::inclusive_scan(at, at + placed + 1, at);
    const auto fill = [&](std::size_t first, std::span<Id> out) {
      placement_detail::check_stop(options_);
      const auto begin = static_cast<edge_offset>(first);
      std::vector<Id> own;
      std::int64_t u = std::upper_bound(at, at + placed + 1, begin) - at - 1;
      for (std::size_t done = 0; done < out.size(); ++u) {
        own.clear();
        each_own(view, u, rank, rows,
                 [&](std::int64_t row) { own.push_back(static_cast<Id>(row)); });
        std::ranges::sort(own);
        const std::size_t before = first + done - static_cast<std::size_t>(at[u]);
        const std::size_t n = std::min(own.size() - before, out.size() - done);
        std::copy_n(own.data() + before, n, out.data() + done);
        done += n;
      }
    };
    const edge_offset arcs = at[placed];
    const Id* ends = filled_columns(d, rank, arcs, placed, at, fill);
    if (d.is_cuda())
      return {placed, rows, arcs, upload(d, typed_.offsets, at, offsets.size()), ends};
    typed_.offsets.push_back(std::move(offsets));
    return {placed, rows, arcs, typed_.offsets.back().data(), ends};
  }

  /// Written where they stay, by pieces, but for pages that lie in both memories.
  template <class Fill>
  const Id* filled_columns(const device& d, int rank, edge_offset arcs, std::int64_t vertices,
                           const edge_offset* at, const Fill& fill) {
    const auto n = static_cast<std::size_t>(arcs);
    if (state_.plan.pages_on_device(rank, "columns")) {
      const buffer<Id> made(memory_kind::host, -1, n);
      write_elements(made.data(), n, fill);
      return upload_columns(d, rank, false, made.data(), vertices,
                            [at](std::int64_t u) { return at[u]; });
    }
    typed_.columns.push_back(make_native_buffer<Id>(d, std::max<std::size_t>(n, 1)));
    write_elements(typed_.columns.back().data(), n, fill);
    return typed_.columns.back().data();
  }

  /// Calls f(local index) for those neighbours of placed id `u` that `rank` owns: a range of placed
  /// ids, and of the caller's row where it has these, ascending.
  template <class F>
  void each_own(const csr_view<Stored>& view, std::int64_t u, int rank, std::int64_t rows,
                const F& f) const {
    const std::int64_t v = vertex_at(0, u);
    if (rows == 0 || v < 0 || v >= view.vertices()) return;
    const std::int64_t first = state_.owners.global(rank, 0);
    std::span<const Stored> row = view.row(v);
    if (state_.identity && state_.source.sorted)
      row = {std::ranges::lower_bound(row, first), std::ranges::lower_bound(row, first + rows)};
    for (const Stored w : row) {
      const std::int64_t local = (state_.identity ? w : typed_.placed_of[w]) - first;
      if (local >= 0 && local < rows) f(local);
    }
  }

  const Id* vertex_of_at(const device& d) {
    const auto& all = typed_.vertex_of;
    return d.is_cuda() && !all.empty() ? upload(d, typed_.columns, all.data(), all.size())
                                       : all.data();
  }

  template <class T>
  static const T* upload(const device& d, std::vector<buffer<T>>& kept, const T* data,
                         std::size_t n) {
    kept.push_back(make_native_buffer<T>(d, std::max<std::size_t>(n, 1)));
    copy_bytes(kept.back().data(), data, n * sizeof(T));
    return kept.back().data();
  }

  /// Columns of the rank's rows onto its GPU, or where its plan says that they spill. `begin_of`:
  /// where a row's begin, [rows + 1].
  template <class Begin>
  const Id* upload_columns(const device& d, int rank, bool incoming, const Id* columns,
                           std::int64_t rows, const Begin& begin_of) {
    const auto n = static_cast<std::size_t>(begin_of(rows));
    const auto on_device = state_.plan.pages_on_device(rank, incoming ? "in-columns" : "columns");
    if (!on_device) return upload(d, typed_.columns, columns, n);
    const auto pages = placement_detail::hottest_pages(rows, sizeof(Id), *on_device, begin_of);
    typed_.columns.push_back(buffer<Id>(d.ordinal, pages, n));
    copy_to_spread(typed_.columns.back().data(), pages, columns, n * sizeof(Id));
    return typed_.columns.back().data();
  }
  /// Of a graph on the only rank's GPU: its columns, and its offsets with those of padding.
  rows_of<Id> there_already(const graph& g, const device& d, std::int64_t rows) {
    arcs_ = g.arcs();
    const auto size = static_cast<std::size_t>(rows) + 1;
    typed_.offsets.push_back(make_native_buffer<edge_offset>(d, size));
    edge_offset* const offsets = typed_.offsets.back().data();
    copy_bytes(offsets, g.offsets.data(), g.offsets.size() * sizeof(edge_offset));
    if (const std::size_t there = g.offsets.size(); there < size) {
      const std::vector<edge_offset> end(size - there, arcs_);
      copy_bytes(offsets + there, end.data(), end.size() * sizeof(edge_offset));
    }
    return {offsets, reinterpret_cast<const Id*>(std::get<shared_array<Stored>>(g.indices).data())};
  }

  rows_of<Id> direction(const graph& g, const device& d, int rank, std::int64_t rows,
                        bool incoming) {
    if (g.gpu >= 0) return there_already(g, d, rows);
    const csr_view<Stored> view = g.view<Stored>();
    if (shares(d) && state_.on->size() == 1) {
      arcs_ = g.arcs();
      return {view.offsets.data(), reinterpret_cast<const Id*>(view.indices.data())};
    }
    const std::int64_t first = rows > 0 ? state_.owners.global(rank, 0) : 0;
    if (d.is_cuda() && state_.identity && std::is_same_v<Id, Stored>)
      return uploaded_range(view, d, rank, first, rows, incoming);
    buffer<edge_offset> offsets = offsets_of(view, first, rows);
    arcs_ = offsets.data()[rows];
    const Id* columns = columns_of(view, d, rank, first, rows, offsets.data(), incoming);
    if (d.is_cuda()) return {upload(d, typed_.offsets, offsets.data(), offsets.size()), columns};
    typed_.offsets.push_back(std::move(offsets));
    return {typed_.offsets.back().data(), columns};
  }

  /// The caller's rows as they are, on a GPU: offsets are made from 0 on their way.
  rows_of<Id> uploaded_range(const csr_view<Stored>& view, const device& d, int rank,
                             std::int64_t first, std::int64_t rows, bool incoming) {
    const std::int64_t n = view.vertices();
    const auto end_of = [&](std::int64_t v) { return view.offsets[std::min(v, n)]; };
    const edge_offset begin = end_of(first);
    arcs_ = end_of(first + rows) - begin;
    typed_.offsets.push_back(make_native_buffer<edge_offset>(d, rows + 1));
    write_elements(typed_.offsets.back().data(), static_cast<std::size_t>(rows) + 1,
                   [&](std::size_t at, std::span<edge_offset> offsets) {
                     for (std::size_t i = 0; i < offsets.size(); ++i)
                       offsets[i] = end_of(first + static_cast<std::int64_t>(at + i)) - begin;
                   });
    placement_detail::check_stop(options_);
    const auto* columns = reinterpret_cast<const Id*>(view.indices.data()) + begin;
    const edge_offset* kept = typed_.offsets.back().data();
    return {kept, upload_columns(d, rank, incoming, columns, rows,
                                 [&](std::int64_t i) { return end_of(first + i) - begin; })};
  }

  /// Of a rank's rows, from 0; holes are empty rows.
  buffer<edge_offset> offsets_of(const csr_view<Stored>& view, std::int64_t first,
                                 std::int64_t rows) const {
    buffer<edge_offset> offsets(memory_kind::host, -1, rows + 1);
    edge_offset sum = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (i % (1 << 18) == 0) placement_detail::check_stop(options_);
      offsets.data()[i] = sum;
      const std::int64_t v = vertex_at(first, i);
      if (v >= 0 && v < view.vertices()) sum += view.offsets[v + 1] - view.offsets[v];
    }
    offsets.data()[rows] = sum;
    return offsets;
  }

  const Id* columns_of(const csr_view<Stored>& view, const device& d, int rank, std::int64_t first,
                       std::int64_t rows, const edge_offset* offsets, bool incoming) {
    const edge_offset arcs = offsets[rows];
    if (shares(d))
      return reinterpret_cast<const Id*>(view.indices.data()) +
             (rows > 0 ? view.offsets[std::min(first, view.vertices())] : 0);
    buffer<Id> columns(memory_kind::host, -1, std::max<edge_offset>(arcs, 1));
    fill(view, first, rows, offsets, columns.data());
    if (d.is_cuda())
      return upload_columns(d, rank, incoming, columns.data(), rows,
                            [&](std::int64_t i) { return offsets[i]; });
    typed_.columns.push_back(std::move(columns));
    return typed_.columns.back().data();
  }

  /// Caller's vertex of local index i of a rank whose placed ids start at `first`.
  std::int64_t vertex_at(std::int64_t first, std::int64_t i) const {
    return typed_.vertex_of.empty() ? first + i : typed_.vertex_of[first + i];
  }

  /// Rows with placed ids as columns, ascending.
  void fill(const csr_view<Stored>& view, std::int64_t first, std::int64_t rows,
            const edge_offset* offsets, Id* columns) const {
    const Id* placed_of = typed_.placed_of.data();
    each_piece(rows, [&](std::int64_t i) {
      Id* out = columns + offsets[i];
      if (offsets[i] == offsets[i + 1]) return;
      for (Stored u : view.row(vertex_at(first, i))) {
        *out++ = placed_of != nullptr ? placed_of[u] : static_cast<Id>(u);
      }
      std::sort(columns + offsets[i], out);
    });
  }

  /// Calls f(i) for i below n on all cores, unless asked to stop. No exception may leave the loop:
  /// the rest is skipped, and the stop seen after.
  template <class F>
  void each_piece(std::int64_t n, const F& f) const {
    for_pieces({host().cores}, n, 1024, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to && !options_.stop.stop_requested(); ++i) f(i);
    });
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

namespace {

/// Padded ids of 32 bits stay 32 bits wide below.
constexpr std::int64_t most_narrow = std::numeric_limits<vertex32>::max();

}  // namespace

placed_graph place(machine& m, const graph& g, const place_options& options) {
  using namespace placement_detail;
  graph_file(g).check();
  const auto begin = std::chrono::steady_clock::now();
  auto s = std::make_shared<placed_graph::state>();
  if (options.partition == "metis") {  // takes long: what cannot fit anyway is refused before
    memory_plan even;
    even.limit_to(m, options.memory);
    plan_slices(even, m, shape_of(g), divide(g, m.size(), options, true), options, certainty::about,
                certainty::about);
    even.check();
  }
  if (g.gpu >= 0)
    require(m.size() == 1 && m[0].is_cuda() && m[0].ordinal == g.gpu &&
                options.renumber == "none" && (g.symmetric || !options.both_directions) &&
                g.vertices() + 64 < most_narrow,
            "place: " + g.name + " lies on cuda:" + std::to_string(g.gpu) +
                ": it is placed there, as it is, in one direction unless symmetric; on_host() "
                "copies it");
  division d = divide(g, m.size(), options, false);
  s->plan.limit_to(m, options.memory);
  plan_slices(s->plan, m, shape_of(g), d, options, certainty::exact, certainty::exact);
  s->plan.check();
  s->source = g;
  s->vertices = g.vertices();
  s->arcs = g.arcs();
  s->on = &m;
  s->identity = d.identity;
  s->owners = own(d);
  s->bounds = bounds_of(sizes_of(d), d.identity ? g.vertices() : -1);
  s->by_columns = options.makes_columns(m.size());
  const bool both = options.both_directions && !options.by_columns;
  s->in_adjacency = s->by_columns || g.symmetric || both;
  if (!g.symmetric && both) {
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
  graph_file(g).check();  // it was read all the while
  s->uploads = 1;
  s->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return placed_graph(std::move(s));
}

}  // namespace gossamer
