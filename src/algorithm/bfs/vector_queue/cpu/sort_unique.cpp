// Gathers, sorts by digits of 8 bits and keeps the first of each vertex. A modelled GPU is charged
// for Thrust's radix sort instead.
#include "algorithm/bfs/vector_queue/cpu/sort_unique.hpp"

#include <array>
#include <bit>
#include <utility>

namespace gossamer::bfs_detail {

template <class Id>
cpu_sort_unique<Id>::cpu_sort_unique(const placed_graph& g, int rank, int label_bytes)
    : cpu_queue_steps<Id>(g, rank, label_bytes) {
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, this->arrivals_.arcs);
}

template <class Id>
void cpu_sort_unique<Id>::clear(rank&) {
  this->arcs_ = used_ = 0;
}

template <class Id>
void cpu_sort_unique<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  const std::int64_t before = used_;
  std::int64_t rows = 0;
  for (const std::int64_t u : queue) {
    rows += this->to(u) > this->from(u) ? 1 : 0;
    for (edge_offset a = this->from(u); a < this->to(u); ++a)
      arrays_.queue[used_++] = {this->arrivals_.ends[a], u};
  }
  const std::int64_t arcs = used_ - before;
  this->arcs_ += arcs;
  r.charge(this->traffic_of_rows(static_cast<std::int64_t>(queue.size()), rows, arcs) +
               static_cast<double>(arcs) * sizeof(neighbour),
           0);
}

// Least significant digit first, which keeps the order of equals. A modelled GPU's is Thrust's
// radix sort of signed keys of 8 bytes in 16 digits of 4 bits (Merrill and Grimshaw 2011): a pass
// reads keys to count, then keys and values to write both. Where all keys have the same digit it
// ends after the count, but for the last pass, which turns signed keys back.
template <class Id>
void cpu_sort_unique<Id>::sort(rank& r) {
  constexpr int digit_bits = 8, modelled_bits = 4, modelled_digits = 64 / modelled_bits;
  const auto bits =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(this->arrivals_.rows)));
  for (int shift = 0; shift < bits; shift += digit_bits) {
    std::array<std::int64_t, (1 << digit_bits) + 1> first{};
    const auto digit = [&](const neighbour& n) {
      return static_cast<std::size_t>(n.row >> shift) & ((1u << digit_bits) - 1);
    };
    for (std::int64_t i = 0; i < used_; ++i) ++first[digit(arrays_.queue[i]) + 1];
    for (std::size_t d = 1; d < first.size(); ++d) first[d] += first[d - 1];
    for (std::int64_t i = 0; i < used_; ++i)
      arrays_.other[first[digit(arrays_.queue[i])]++] = arrays_.queue[i];
    std::swap(arrays_.queue, arrays_.other);
  }
  const auto pairs = static_cast<double>(used_);
  for (int d = 0; d < modelled_digits; ++d) {
    const bool same = d * modelled_bits >= bits && d + 1 < modelled_digits;
    r.charge(pairs * (same ? 8 : 8 + 2 * sizeof(neighbour)), 0);
  }
}

template <class Id>
void cpu_sort_unique<Id>::update(rank& r, std::int32_t depth) {
  if (used_ == 0) return;
  sort(r);
  const auto gathered = static_cast<double>(used_);
  std::int64_t distinct = 0, fresh = 0, last = -1;
  for (std::int64_t i = 0; i < used_; ++i) {
    const neighbour n = arrays_.queue[i];
    if (n.row == last) continue;
    last = n.row;
    ++distinct;
    if (this->seen_.visited[n.row] != 0) continue;
    this->enter(n.row, n.parent, depth);
    arrays_.queue[fresh++] = n;
  }
  used_ = fresh;
  r.charge(gathered * sizeof(neighbour) + static_cast<double>(distinct) * sizeof(neighbour), 0);
  r.charge(static_cast<double>(distinct) * (sizeof(neighbour) + 1) +
               static_cast<double>(fresh) * sizeof(neighbour) + this->traffic_of_finds(fresh),
           0);
}

template <class Id>
step_result cpu_sort_unique<Id>::convert(rank& r, std::int64_t* queue, std::uint32_t* into) {
  packed_finds finds{};
  if (into != nullptr) finds = this->clear_finds(into, used_);
  for (std::int64_t i = 0; i < used_; ++i) {
    queue[i] = this->owners_.global(this->rank_, arrays_.queue[i].row);
    if (into != nullptr) finds.put(i, arrays_.queue[i].row, arrays_.queue[i].parent);
  }
  r.charge(static_cast<double>(used_) * (sizeof(neighbour) + 8) +
               (into == nullptr ? 0 : finds.traffic()),
           0);
  return {used_, this->arcs_};
}

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cpu_sort_unique(const placed_graph& g, int rank,
                                                             int label_bytes) {
  return std::make_unique<cpu_sort_unique<Id>>(g, rank, label_bytes);
}
GOSSAMER_QUEUE_STEPS(make_cpu_sort_unique)

queue_bytes cpu_sort_unique_bytes(const planned_rank& p) {
  queue_bytes b = cpu_queue_bytes(p);
  b.duplicates = algorithm_detail::counted<neighbour_arrays>(p.in_arcs).own;
  return b;
}

}  // namespace gossamer::bfs_detail
