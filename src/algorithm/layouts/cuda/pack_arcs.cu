// The kernel that packs, and its launches: arcs are packed in place, in pieces that overwrite only
// weights already packed.
#include "algorithm/layouts/cuda/pack_arcs.hpp"

#include "algorithm/cuda/launch.cuh"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::algorithm_detail::cuda {

namespace {

constexpr int pack_threads = 1024;

/// Arcs [first, last). Every thread of a block has read what it packs before any writes.
template <class Id, class Word>
__global__ void __launch_bounds__(pack_threads)
    pack(const Id* columns, const Word* weights, std::int64_t first, std::int64_t last,
         device_arc<Word>* arcs) {
  const std::int64_t k = first + std::int64_t{blockIdx.x} * pack_threads + threadIdx.x;
  device_arc<Word> mine{};
  if (k < last) mine = {static_cast<std::int32_t>(columns[k]), weights[k]};
  __syncthreads();
  if (k < last) arcs[k] = mine;
}

}  // namespace

// Weights go to where the second halves of the arcs will be. Arc k takes the room of weights 2k - n
// and 2k - n + 1. So arcs are packed from the front, and each launch goes as far as it overwrites
// only weights of earlier launches: half of what is left. The last few are one block's.
template <class Id, class Word>
void pack_arcs(const device& on, const Id* columns, const Word* weights, std::int64_t n,
               device_arc<Word>* arcs) {
  if (n == 0) return;
  Word* there = reinterpret_cast<Word*>(arcs) + n;
  copy_bytes(there, weights, static_cast<std::size_t>(n) * sizeof(Word));
  const stream queue(on);
  for (std::int64_t first = 0; first < n;) {
    const std::int64_t left = n - first;
    const std::int64_t some = left <= pack_threads ? left : left / 2;
    pack<<<blocks_for(some, pack_threads), pack_threads, 0,
           static_cast<cudaStream_t>(queue.native())>>>(columns, there, first, first + some, arcs);
    launched();
    first += some;
  }
  event done(on.ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
}

#define GOSSAMER_INSTANTIATE(Id, Word) \
  template void pack_arcs(const device&, const Id*, const Word*, std::int64_t, device_arc<Word>*);

GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::uint64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::algorithm_detail::cuda
