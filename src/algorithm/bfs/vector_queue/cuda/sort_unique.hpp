// Duplicates eliminated by sorting on a GPU (see cpu/sort_unique.hpp). The gathered neighbours are
// pairs of 8 bytes each. CUB's radix sort goes over the bits that rows have, and the first of each
// row is kept. For comparison: it takes two queues of all arcs, and what the sort takes.
#pragma once

#include "algorithm/bfs/vector_queue/cuda/vector_queue.hpp"

namespace gossamer::bfs_detail::cuda {

// As functions; asynchronous in `on.stream`.
template <class Id>
void append_neighbours(const launch_site& on, const vector_queue_view<Id>& v,
                       const std::int64_t* queue, std::int64_t n);
/// Bytes that sort_neighbours() needs beside the two queues, for up to `n` pairs.
std::size_t sort_bytes(std::int64_t n, int bits);
/// Sorts n pairs; returns true when they lie in the second queue then.
bool sort_neighbours(const launch_site& on, void* work, std::size_t bytes, std::int64_t* keys,
                     std::int64_t* values, std::int64_t* other_keys, std::int64_t* other_values,
                     std::int64_t n, int bits);
/// Labels of the first of each row not visited; the values of all others become -1. n >= 1.
template <class Id>
void update_sorted(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t n,
                   std::int32_t depth);
/// As vector_to_queue, from n sorted pairs.
template <class Id>
void sorted_to_queue(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t n,
                     std::int64_t* queue, std::uint32_t* finds);

/// Bits of the rows 0 … rows - 1, at least one.
int bits_of_rows(std::int64_t rows);

/// Two queues of pairs that sorting alternates between, and what it takes.
struct neighbour_queues {
  buffer<std::int64_t> keys[2], values[2];
  buffer<std::byte> work;

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t in_arcs) {
    for (auto* b : {&keys[0], &keys[1], &values[0], &values[1]}) of.add(*b, in_arcs);
    of.add(work, static_cast<std::int64_t>(sort_bytes(in_arcs, bits_of_rows(rows))));
  }
};

template <class Id>
class sort_unique_arrays final : public vector_queue_arrays<Id> {
 public:
  sort_unique_arrays(const placed_graph& g, int rank, int label_bytes);

  void clear(rank& r) override;
  void gather(rank& r, std::span<const std::int64_t> queue) override;
  void update(rank& r, std::int32_t depth) override;
  step_result convert(rank& r, std::int64_t* queue, std::uint32_t* finds) override;

 private:
  const int bits_;  ///< of a row
  neighbour_queues queues_;
  std::int64_t used_ = 0;  ///< pairs of the level
};

}  // namespace gossamer::bfs_detail::cuda
