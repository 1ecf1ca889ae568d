// run_reading: long work that reads a graph, whose arrays may lie in a mapped file.
#pragma once

#include <type_traits>
#include <utility>

#include "gossamer/graph/mapped_file.hpp"
#include "work.hpp"

namespace gossamer_python {

/// As run_work(). What was found in a file that was changed meanwhile is refused (input_error).
template <class F>
auto run_reading(const gossamer::graph& g, F body, const work_options& options = {}) {
  const gossamer::graph_file file(g);
  auto found = run_work(std::move(body), options);
  file.check();
  return found;
}

}  // namespace gossamer_python
