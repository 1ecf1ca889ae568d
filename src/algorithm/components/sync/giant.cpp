// flood_giant: the queue by one thread, then sweeps by all, to and fro.
#include "algorithm/components/sync/giant.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "gossamer/graph/union_find.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::components_detail {

namespace {

constexpr std::int64_t word_bits = 64;
constexpr std::int64_t piece_words = 64;  ///< what a thread takes at a time

std::uint64_t load(const std::uint64_t& word) {
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
}

template <class Id>
bool marked(const std::uint64_t* bits, Id v) {
  return (load(bits[v / word_bits]) >> (v % word_bits) & 1) != 0;
}

/// Of the targets of evenly spread arcs the one with most arcs: hubs are targets of many.
template <class Id>
Id sampled_hub(const own_rows<Id>& rows) {
  constexpr edge_offset samples = 64;
  const edge_offset arcs = rows.end(rows.last - 1);
  Id hub = 0;
  for (edge_offset i = 0; i < std::min(arcs, samples); ++i) {
    const Id v = rows.columns[arcs / std::min(arcs, samples) * i];
    if (rows.end(v) - rows.begin(v) > rows.end(hub) - rows.begin(hub)) hub = v;
  }
  return hub;
}

/// True when the queue is full, and the part of it that waits shows no deep graph.
template <class Id>
bool fill_queue(const own_rows<Id>& rows, flood_arrays<Id>& space) {
  constexpr std::int64_t few = 4096;  // what deep graphs may be told by
  const auto limit = flood_arrays<Id>::queued(rows.last);
  std::uint64_t* bits = space.bits.data();
  Id* queue = space.queue.data();
  std::int64_t head = 0, tail = 0, look = few;
  const auto mark = [&](Id v) {
    std::uint64_t& word = bits[v / word_bits];
    const std::uint64_t bit = std::uint64_t{1} << (v % word_bits);
    if ((word & bit) != 0) return;
    word |= bit;
    queue[tail++] = v;
  };
  mark(sampled_hub(rows));
  while (head < tail) {
    const Id v = queue[head++];
    for (edge_offset k = rows.begin(v); k < rows.end(v); ++k) {
      mark(rows.columns[k]);
      if (tail == limit) return true;
    }
    if (tail >= look) {
      if ((tail - head) * 2 < tail) return false;
      look *= 2;
    }
  }
  return false;
}

/// True when a sweep is going to find much: of evenly spread vertices a quarter have a neighbour
/// that is marked. Where what is marked is a corner of the graph, they have none.
template <class Id>
bool others_are_near(const own_rows<Id>& rows, const std::uint64_t* bits) {
  constexpr std::int64_t samples = 64;
  const std::int64_t count = std::min(rows.last, samples);
  std::int64_t asked = 0, near = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t v = rows.last / count * i;
    const Id *row = rows.columns + rows.begin(v), *end = rows.columns + rows.end(v);
    asked += row < end;
    near += std::any_of(row, end, [&](Id u) { return marked(bits, u); });
  }
  return near * 4 >= asked;
}

struct swept {
  std::int64_t found = 0, open = 0;  ///< vertices marked now, and vertices with arcs that are not
  void operator+=(const swept& other) {
    found += other.found;
    open += other.open;
  }
};

template <class Id>
class sweeper {
 public:
  sweeper(const own_rows<Id>& rows, std::uint64_t* bits) : rows_(rows), bits_(bits) {}

  /// `rising`: towards larger vertices, else towards smaller ones.
  swept sweep(bool rising) const {
    const std::int64_t words = (rows_.last + word_bits - 1) / word_bits;
    return sum_pieces<swept>({rows_.threads}, words, piece_words,
                             [&](std::int64_t first, std::int64_t last, swept& sum) {
                               if (rising)
                                 for (std::int64_t w = first; w < last; ++w) look(w, rising, sum);
                               else
                                 for (std::int64_t w = words - 1 - first; w > words - 1 - last; --w)
                                   look(w, rising, sum);
                             });
  }

 private:
  /// A word is written by the thread that has its piece alone; others may read it meanwhile.
  void look(std::int64_t w, bool rising, swept& sum) const {
    const std::int64_t first = w * word_bits;
    const std::int64_t count = std::min(word_bits, rows_.last - first);
    std::uint64_t have = bits_[w];
    std::uint64_t open = ~have;
    if (count < word_bits) open &= (std::uint64_t{1} << count) - 1;
    while (open != 0) {
      const int i = rising ? std::countr_zero(open) : 63 - std::countl_zero(open);
      const std::uint64_t bit = std::uint64_t{1} << i;
      open &= ~bit;
      const std::int64_t v = first + i;
      const edge_offset begin = rows_.begin(v), end = rows_.end(v);
      if (begin == end) continue;
      edge_offset k = begin;
      while (k < end && !marked(bits_, rows_.columns[k])) ++k;
      if (k == end) {
        ++sum.open;
        continue;
      }
      ++sum.found;
      have |= bit;
      std::atomic_ref(bits_[w]).store(have, std::memory_order_relaxed);
    }
  }

  own_rows<Id> rows_;
  std::uint64_t* bits_;
};

template <class Id>
Id smallest_marked(const shared_array<std::uint64_t>& bits) {
  std::size_t w = 0;
  while (bits[w] == 0) ++w;
  return static_cast<Id>(static_cast<std::int64_t>(w) * word_bits + std::countr_zero(bits[w]));
}

}  // namespace

template <class Id>
bool flood_giant(const own_rows<Id>& rows, flood_arrays<Id>& space, std::span<Id> labels) {
  std::fill(space.bits.begin(), space.bits.end(), 0);
  if (rows.last == 0 || rows.end(rows.last - 1) == 0 || !fill_queue(rows, space) ||
      !others_are_near(rows, space.bits.data()))
    return false;
  const sweeper<Id> all(rows, space.bits.data());
  bool rising = true;
  for (swept last{1, 0}; last.found > last.open / 4; rising = !rising) last = all.sweep(rising);
  const Id root = smallest_marked<Id>(space.bits);
  const std::uint64_t* bits = space.bits.data();
  constexpr std::int64_t piece = word_bits * piece_words;
  for_pieces({rows.threads}, rows.last, piece, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t v = first; v < last; ++v)
      labels[v] = marked(bits, v) ? root : static_cast<Id>(v);
  });
  return true;
}

namespace {

/// Calls work(v) for every vertex that is not marked, by all threads.
template <class Id, class F>
void each_other(const own_rows<Id>& rows, const flood_arrays<Id>& space, const F& work) {
  const std::uint64_t* bits = space.bits.data();
  for_pieces({rows.threads}, static_cast<std::int64_t>(space.bits.size()), piece_words,
             [&](std::int64_t first, std::int64_t last) {
               for (std::int64_t w = first; w < last; ++w) {
                 for (std::uint64_t open = ~bits[w]; open != 0; open &= open - 1) {
                   const std::int64_t v = w * word_bits + std::countr_zero(open);
                   if (v >= rows.last) break;
                   work(v);
                 }
               }
             });
}

}  // namespace

template <class Id>
void hook_others(const own_rows<Id>& rows, const flood_arrays<Id>& space, std::span<Id> labels) {
  each_other(rows, space, [&](std::int64_t v) {
    for (edge_offset k = rows.begin(v); k < rows.end(v); ++k)
      join<Id>(labels.data(), static_cast<Id>(v), rows.columns[k]);
  });
  const Id root = smallest_marked<Id>(space.bits);
  if (labels[root] != root)
    compress_labels(labels, rows.threads);
  else
    each_other(rows, space,
               [&](std::int64_t v) { compress<Id>(labels.data(), static_cast<Id>(v)); });
}

#define GOSSAMER_GIANT(Id)                                                          \
  template bool flood_giant(const own_rows<Id>&, flood_arrays<Id>&, std::span<Id>); \
  template void hook_others(const own_rows<Id>&, const flood_arrays<Id>&, std::span<Id>);
GOSSAMER_GIANT(vertex32)
GOSSAMER_GIANT(vertex64)
#undef GOSSAMER_GIANT

}  // namespace gossamer::components_detail
