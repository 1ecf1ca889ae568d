// Graphs whose arrays lie in a mapped file: whether that is still what was read.
//
// A page of a mapped file that was cut short cannot be read any more: the system ends the process
// (SIGBUS), and the library installs no handler. So each run, and each pass that writes a graph,
// looks at the file first, and again when it has ended: what it found in a file that was changed
// meanwhile is refused. What is cut short while a run reads it still ends the process, and so may
// ids that are overwritten by others; a file that must not do so is read compressed, or in a format
// that is copied.
#pragma once

#include <memory>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// The file behind a graph's arrays, if there is one. Keeps neither alive.
class graph_file {
 public:
  graph_file() = default;
  /// As check() of the new object.
  explicit graph_file(const graph& g);
  /// input_error when the file was cut short or written to since it was mapped. One that took its
  /// place under the same name is another file, and does no harm.
  void check() const;

 private:
  std::weak_ptr<void> arrays_;
};

}  // namespace gossamer
