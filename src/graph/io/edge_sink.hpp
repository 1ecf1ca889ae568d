// Collects parsed edges into the builder's chunks, as narrow as they allow, under the memory limit.
//
// Parsers write 64-bit ids and double weights into scratch; here they become 32-bit ids while all
// fit, and int32 weights while all are integers of that range. The first that does not fit widens
// what was stored, once. So a file's memory is 8 bytes an edge without anybody knowing n before.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/mapped_block.hpp"
#include "gossamer/graph/builder.hpp"
#include "graph/io/read_context.hpp"

namespace gossamer::io {

/// Edges parsed from one part of a block, in the order of the file.
struct parsed_edges {
  shared_array<edge<vertex64>> edges;  ///< capacity; `count` are used
  shared_array<double> weights;        ///< empty until the first weight
  std::size_t count = 0;
  std::uint64_t seen = 0;  ///< all ids or-ed: tells whether 31 bits are enough
  bool int32_weights = true;
  /// Room for `n` edges; contents are dropped.
  void reset(std::size_t n, bool weighted) {
    count = 0;
    seen = 0;
    int32_weights = true;
    if (edges.size() < n) edges = mapped_array<edge<vertex64>>(n);
    if (weighted && weights.size() < n) weights = mapped_array<double>(n);
  }
  void add(std::int64_t u, std::int64_t v) {
    seen |= static_cast<std::uint64_t>(u) | static_cast<std::uint64_t>(v);
    edges[count++] = {u, v};
  }
  void add(std::int64_t u, std::int64_t v, double w, bool integer) {
    weights[count] = w;
    int32_weights &= integer && w >= INT32_MIN && w <= INT32_MAX;
    add(u, v);
  }
};

class edge_sink {
 public:
  /// `real`: weights are doubles from the start ("real" matrices stay so even if all are whole).
  edge_sink(const read_context& context, bool weighted, bool real);

  /// What the header says; n = 0 when there is none.
  void expect_vertices(std::int64_t n) { vertices_ = n; }
  void append(const parsed_edges& part);
  [[nodiscard]] std::int64_t edges() const { return edges_; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }
  [[nodiscard]] bool weighted() const { return weighted_; }
  [[nodiscard]] int weight_bytes() const { return weighted_ ? (double_weights_ ? 8 : 4) : 0; }

  /// Calls f(edge<Id>&) on every stored edge, in order.
  template <class F>
  void for_each(F&& f) {
    auto watch = context_.watch();
    const auto all = [&](auto& list) {
      for (auto& c : list) {
        watch.step(static_cast<std::int64_t>(c.used));
        for (std::size_t i = 0; i < c.used; ++i) f(c.data[i]);
      }
    };
    all(narrow_);
    all(wide_);
  }
  /// 32-bit storage for ids that were sparse and are below 2^31 after renumbering.
  void narrow_ids();
  /// Hands everything to the builder and labels the graph. Plans again with what is known now.
  graph finish(std::int64_t vertices, vertex_names names);

 private:
  template <class T>
  struct chunk {
    shared_array<T> data;
    std::size_t used = 0;
  };
  template <class T>
  using chunk_list = std::vector<chunk<T>>;

  template <class T, class S, class Convert>
  static void push(chunk_list<T>& list, const S* from, std::size_t n, Convert convert);
  void widen_ids();
  void widen_weights();

  const read_context& context_;
  std::int64_t vertices_ = 0, edges_ = 0;
  std::uint64_t seen_ = 0;
  bool weighted_, double_weights_, wide_ids_ = false;
  chunk_list<edge<vertex32>> narrow_;
  chunk_list<edge<vertex64>> wide_;
  chunk_list<std::int32_t> int_weights_;
  chunk_list<double> real_weights_;
};

}  // namespace gossamer::io
