// Turns what a run was given into short texts: numbers as they are, arrays as their length and
// digest. Does nothing where all ranks are in one process.
#include "algorithm/driver/common_terms.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "algorithm/driver/host_threads.hpp"
#include "gossamer/graph/digest.hpp"

namespace gossamer::algorithm_detail {

std::string term_text(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string bytes_text(std::span<const std::byte> bytes, std::size_t element) {
  return bytes.empty() ? std::string()
                       : std::to_string(bytes.size() / element) + " values, digest " +
                             digest_text(digest_of(bytes, 0));
}

common_terms::common_terms(const machine& m, const std::string& program, std::stop_token stop)
    : wanted_(!m.all_here()), stop_(std::move(stop)) {
  if (!wanted_) return;
  threads_ = threads_here(m);
  add("program", program);
}

common_terms& common_terms::graph(const gossamer::graph& g) {
  if (!wanted_) return *this;
  return add("graph", std::to_string(g.vertices()) + " vertices, " + std::to_string(g.arcs()) +
                          " arcs, digest " + digest_text(digest_of(g, threads_, stop_)));
}

common_terms& common_terms::placed(const placed_graph& g) {
  if (!wanted_) return *this;
  if (g.whole()) {
    gossamer::graph bare = g.source();  // slices have no weights
    bare.weights = {};
    graph(bare);
  } else {
    add("graph", std::to_string(g.vertices()) + " vertices, " + std::to_string(g.arcs()) +
                     " arcs, made on the ranks");
  }
  return layout(g);
}

common_terms& common_terms::layout(const placed_graph& g) {
  return wanted_ ? add("partition", "digest " + digest_text(g.digest())) : *this;
}

common_terms& common_terms::partition(std::span<const std::int64_t> first,
                                      std::span<const std::int64_t> vertices) {
  if (!wanted_) return *this;
  return add(
      "partition",
      "digest " + digest_text(digest_of({digest_of(std::as_bytes(first), threads_, stop_),
                                         digest_of(std::as_bytes(vertices), threads_, stop_)})));
}

void set_term_text(run_options& of, const char* name, std::string value) {
  const auto at = std::find_if(of.terms.begin(), of.terms.end(),
                               [&](const run_term& t) { return t.name == name; });
  if (at == of.terms.end())
    of.terms.push_back({name, std::move(value)});
  else
    at->value = std::move(value);
}

}  // namespace gossamer::algorithm_detail
