// What the processes of a machine must be given alike before an algorithm runs on it
// (run_options::terms): graph, partition, options, input. Costs nothing where all ranks are in one
// process.
//
//   options.run.terms = common_terms(m, "bfs").graph(g).add("alpha", options.alpha).all();
//   set_term(options.run, "source", source);  // before each run
//
// Options are written as they are used, "auto" as what it means, so that equal means are equal
// terms.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// A number as a term: every digit.
std::string term_text(double value);
inline std::string term_text(std::string value) {
  return value;
}
template <std::integral T>
std::string term_text(T value) {
  return std::to_string(value);
}
template <class T>
std::string term_text(const std::optional<T>& value) {
  return value ? term_text(*value) : std::string();
}
/// Length and digest.
std::string bytes_text(std::span<const std::byte> bytes, std::size_t element);
template <class T>
std::string array_text(std::span<const T> values) {
  return bytes_text(std::as_bytes(values), sizeof(T));
}

class common_terms {
 public:
  common_terms(const machine& m, const std::string& program, std::stop_token stop = {});
  /// With its weights, if it has any: take them off where nobody looks at them.
  common_terms& graph(const gossamer::graph& g);
  /// The graph, and where its parts lie.
  common_terms& placed(const placed_graph& g);
  /// Where its parts lie.
  common_terms& layout(const placed_graph& g);
  /// Which rank has which rows: [ranks + 1] ranges, and whose the rows are, if not those of the
  /// vertices in order.
  common_terms& partition(std::span<const std::int64_t> first,
                          std::span<const std::int64_t> vertices = {});
  template <class T>
  common_terms& add(const char* name, const T& value) {
    if (wanted_) terms_.push_back({name, term_text(value)});
    return *this;
  }
  [[nodiscard]] std::vector<run_term> all() { return std::move(terms_); }

 private:
  const bool wanted_;
  int threads_ = 0;
  std::stop_token stop_;
  std::vector<run_term> terms_;
};

/// Sets a term of run_options that common_terms made; does nothing if it made none.
void set_term_text(run_options& of, const char* name, std::string value);
template <class T>
void set_term(run_options& of, const char* name, const T& value) {
  if (!of.terms.empty()) set_term_text(of, name, term_text(value));
}
/// The same with a digest of the values.
template <class T>
void set_term_array(run_options& of, const char* name, std::span<const T> values) {
  if (!of.terms.empty()) set_term_text(of, name, array_text(values));
}

}  // namespace gossamer::algorithm_detail
