// Chunks of edges that widen when they must.
#include "graph/io/edge_sink.hpp"

#include <algorithm>

#include "graph/io/name_table.hpp"

namespace gossamer::io {
namespace {

// Chunks start small (tiny files) and grow to 2^20 entries, so that at most one is half empty. All
// lists follow the same sequence, which keeps weights parallel to edges chunk by chunk.
constexpr std::size_t first_chunk = 1 << 10, largest_chunk = 1 << 20;

constexpr std::uint64_t narrow_mask = 0x7fffffff;

}  // namespace

edge_sink::edge_sink(const read_context& context, bool weighted, bool real)
    : context_(context), weighted_(weighted), double_weights_(real) {}

template <class T, class S, class Convert>
void edge_sink::push(chunk_list<T>& list, const S* from, std::size_t n, Convert convert) {
  while (n > 0) {
    if (list.empty() || list.back().used == list.back().data.size()) {
      const std::size_t size =
          list.empty() ? first_chunk : std::min(largest_chunk, list.back().data.size() * 4);
      list.push_back({mapped_array<T>(size), 0});
    }
    auto& last = list.back();
    const std::size_t now = std::min(n, last.data.size() - last.used);
    T* to = last.data.data() + last.used;
    for (std::size_t i = 0; i < now; ++i) to[i] = convert(from[i]);
    last.used += now;
    from += now;
    n -= now;
  }
}

void edge_sink::widen_ids() {
  for (auto& c : narrow_) {
    wide_.push_back({mapped_array<edge<vertex64>>(c.data.size()), c.used});
    for (std::size_t i = 0; i < c.used; ++i)
      wide_.back().data[i] = {c.data[i].source, c.data[i].target};
    c.data = {};
  }
  narrow_.clear();
  wide_ids_ = true;
}

void edge_sink::narrow_ids() {
  if (!wide_ids_) return;
  for (auto& c : wide_) {
    narrow_.push_back({mapped_array<edge<vertex32>>(c.data.size()), c.used});
    for (std::size_t i = 0; i < c.used; ++i)
      narrow_.back().data[i] = {static_cast<vertex32>(c.data[i].source),
                                static_cast<vertex32>(c.data[i].target)};
    c.data = {};
  }
  wide_.clear();
  wide_ids_ = false;
}

void edge_sink::widen_weights() {
  for (auto& c : int_weights_) {
    real_weights_.push_back({mapped_array<double>(c.data.size()), c.used});
    std::copy_n(c.data.data(), c.used, real_weights_.back().data.data());
    c.data = {};
  }
  int_weights_.clear();
  double_weights_ = true;
}

void edge_sink::append(const parsed_edges& part) {
  if (part.count == 0) return;
  // Refuse before the chunks grow past what the edges known so far will need in the end.
  context_.refuse_if_over(context_.edge_plan(std::max<std::int64_t>(vertices_, 1),
                                             edges_ + static_cast<std::int64_t>(part.count),
                                             weight_bytes(), false));
  seen_ |= part.seen;
  if (!wide_ids_ && seen_ > narrow_mask) widen_ids();
  if (weighted_ && !double_weights_ && !part.int32_weights) widen_weights();
  if (wide_ids_) {
    push(wide_, part.edges.data(), part.count, [](const edge<vertex64>& e) { return e; });
  } else {
    push(narrow_, part.edges.data(), part.count, [](const edge<vertex64>& e) {
      return edge<vertex32>{static_cast<vertex32>(e.source), static_cast<vertex32>(e.target)};
    });
  }
  if (weighted_ && double_weights_) {
    push(real_weights_, part.weights.data(), part.count, [](double w) { return w; });
  } else if (weighted_) {
    push(int_weights_, part.weights.data(), part.count,
         [](double w) { return static_cast<std::int32_t>(w); });
  }
  edges_ += static_cast<std::int64_t>(part.count);
}

graph edge_sink::finish(std::int64_t vertices, vertex_names names) {
  if (id_bytes(vertices) == 8 && !wide_ids_) widen_ids();
  read_plan plan = context_.edge_plan(vertices, edges_, weight_bytes(), false);
  if (!names.map.empty())
    plan.items.push_back({"vertex names", static_cast<std::int64_t>(names.map.size()) * 8});
  if (names.texts) plan.items.push_back({"vertex names", text_bytes(*names.texts)});
  context_.settle(plan);
  auto build = [&](auto& list, auto chunks) {
    chunks.vertices = vertices;
    for (auto& c : list) chunks.edges.push_back(c.data.first(c.used));
    list.clear();
    auto move_weights = [&](auto& from) {
      typename std::decay_t<decltype(from)>::value_type one;
      std::vector<decltype(one.data)> arrays;
      for (auto& c : from) arrays.push_back(c.data.first(c.used));
      from.clear();
      chunks.weights = std::move(arrays);
    };
    if (weighted_ && double_weights_) move_weights(real_weights_);
    if (weighted_ && !double_weights_) move_weights(int_weights_);
    return build_csr(std::move(chunks), context_.build);
  };
  graph g =
      wide_ids_ ? build(wide_, edge_chunks<vertex64>{}) : build(narrow_, edge_chunks<vertex32>{});
  g.name = context_.name;
  g.names = std::move(names);
  if (weighted_) g.weight_source = "file";
  if (!g.symmetric) g.symmetric = is_symmetric(g, context_.threads, context_.options.stop);
  return g;
}

}  // namespace gossamer::io
