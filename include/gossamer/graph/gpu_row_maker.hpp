// Rows of a generator's graph, made on one GPU in the memory where they will lie.
//
// The GPU makes the whole edge list, twice, and keeps what belongs to its rows. The first time it
// counts, which gives offsets and the exact size of the columns; the second time it puts every
// column where it belongs. Then rows are sorted, piece by piece, and repeated columns dropped in
// place. Several GPUs that make a graph together exchange nothing. To make an entry costs some
// hundred instructions, a tenth of what its two arcs cost a memory, and less than sending one.
#pragma once

#include <cstdint>
#include <functional>

#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

template <class Id>
class gpu_row_maker {
 public:
  /// Called after each part of a step, at least every second, with the share of it that is done;
  /// may throw to stop.
  using alive = std::function<void(double)>;

  /// Rows [first, first + rows) of the graph of `spec`, undirected and simple, in the memory of
  /// `d`, a GPU. Takes 16 bytes a row. usage_error for matrices, not_compiled without CUDA.
  gpu_row_maker(const device& d, const generator_spec& spec, std::int64_t first, std::int64_t rows);

  /// The first of three steps, in this order, by a thread whose current device is the rows'.
  /// Afterwards counted() and longest() are known.
  void count(const alive& tell);
  /// The second: takes the columns.
  void put(const alive& tell);
  /// The third: sorts rows and drops repeated columns; takes sorting_bytes(counted(), longest())
  /// while it runs.
  void finish(const alive& tell);

  /// What finish() takes for rows with so many arcs, of which the longest has `longest`.
  static std::int64_t sorting_bytes(std::int64_t arcs, std::int64_t longest);

  [[nodiscard]] std::int64_t counted() const { return counted_; }
  /// Arcs of the longest row, before repeated ones are dropped.
  [[nodiscard]] std::int64_t longest() const { return longest_; }
  [[nodiscard]] std::int64_t arcs() const { return arcs_; }
  [[nodiscard]] std::int64_t self_loops() const { return self_loops_; }
  buffer<edge_offset>& offsets() { return offsets_; }  ///< [rows + 1], from 0
  buffer<Id>& columns() { return columns_; }
  /// [rows] ends of entries of the list at each row: two for a self-loop, one for any other entry.
  buffer<std::int64_t>& ends() { return ends_; }

 private:
  template <class Entry>
  void each_entry(const Entry& entry, const alive& tell);

  device device_;
  generator_spec spec_;
  std::int64_t first_, rows_, counted_ = 0, longest_ = 0, arcs_ = 0, self_loops_ = 0;
  buffer<edge_offset> offsets_;
  buffer<std::int64_t> ends_;
  buffer<Id> columns_;
};

}  // namespace gossamer
