// A round on a GPU: every own vertex of the frontier offers what goes out along its arcs to the
// targets, wherever they are.
//
// A warp takes 32 vertices: rows of fewer than 32 arcs a lane each, longer ones all lanes together,
// those of 1,024 and more all threads of the block, when its warps are done with the others.
// A key is improved by an atomic minimum of system scope in its owner's memory, over NVLink for a
// peer's, and whoever improved one marks the vertex in the owner's frontier of the next round. A
// key is read after its mark is taken, so that an improvement is either seen or marked again.
// Rounds are kept apart by the host: nobody writes into a frontier that a kernel still reads.
#include "algorithm/compiled_program/text.hpp"

namespace gossamer::program_detail {

const char* const round_kernel = R"(
struct gs_view {
  const long long* offsets;
  const int* columns;
  const T* weights;
  K* const* keys;
  unsigned int* const* next;
  const long long* starts;
  unsigned int* frontier;
  unsigned long long* counts;
  long long rows;
  int rank, ranks;
};

GS_FN void gs_offer(const gs_view& g, T value, T degree, long long arc) {
  const T w = g.weights ? g.weights[arc] : T(0);
  const K key = gs_to_key(gs_propagate(value, w, degree));
  const long long to = g.columns[arc];
  int owner = g.rank;
  if (to < g.starts[owner] || to >= g.starts[owner + 1])
    for (owner = 0; to >= g.starts[owner + 1];) ++owner;
  const long long at = to - g.starts[owner];
  K* there = g.keys[owner] + at;
  // A look costs less than an atomic where memory is near; far away it costs the same.
  if (owner == g.rank && *(volatile K*)there <= key) return;
  if (atomicMin_system(there, key) <= key) return;
  atomicOr_system(g.next[owner] + (at >> 5), 1u << (at & 31));
  *(volatile unsigned long long*)g.counts = 1;
}

struct gs_row {
  long long begin, length;
  K key;
};

extern "C" __global__ void __launch_bounds__(256) gossamer_round(const gs_view g) {
  __shared__ gs_row long_rows[256];
  __shared__ int longs;
  const int lane = threadIdx.x & 31;
  const int warps = blockDim.x >> 5;
  const long long words = (g.rows + 31) >> 5;
  const K* own = g.keys[g.rank];
  unsigned long long vertices = 0, arcs = 0;
  for (long long first = (long long)blockIdx.x * warps; first < words;
       first += (long long)gridDim.x * warps) {
    const long long word = first + (threadIdx.x >> 5);
    const unsigned int bits = word < words ? g.frontier[word] : 0;
    if (threadIdx.x == 0) longs = 0;
    if (__syncthreads_or(bits != 0) == 0) continue;
    if (bits != 0) {
      if (lane == 0) g.frontier[word] = 0;
      const long long v = (word << 5) + lane;
      const bool active = (bits >> lane) & 1;
      const long long begin = active ? g.offsets[v] : 0;
      const long long length = active ? g.offsets[v + 1] - begin : 0;
      const K key = active ? *(volatile const K*)(own + v) : K(0);
      vertices += active;
      arcs += length;
      if (length >= 1024) {
        const gs_row row = {begin, length, key};
        long_rows[atomicAdd(&longs, 1)] = row;
      }
      unsigned int middle = __ballot_sync(0xffffffffu, length >= 32 && length < 1024);
      while (middle != 0) {
        const int from = __ffs(middle) - 1;
        middle &= middle - 1;
        const long long b = __shfl_sync(0xffffffffu, begin, from);
        const long long n = __shfl_sync(0xffffffffu, length, from);
        const T value = gs_from_key(__shfl_sync(0xffffffffu, key, from));
        for (long long i = lane; i < n; i += 32) gs_offer(g, value, T(n), b + i);
        __syncwarp();
      }
      if (length < 32)
        for (long long i = 0; i < length; ++i)
          gs_offer(g, gs_from_key(key), T(length), begin + i);
    }
    __syncthreads();
    for (int k = 0; k < longs; ++k) {
      const gs_row row = long_rows[k];
      for (long long i = threadIdx.x; i < row.length; i += blockDim.x)
        gs_offer(g, gs_from_key(row.key), T(row.length), row.begin + i);
    }
    __syncthreads();
  }
  for (int step = 16; step > 0; step >>= 1) {
    vertices += __shfl_down_sync(0xffffffffu, vertices, step);
    arcs += __shfl_down_sync(0xffffffffu, arcs, step);
  }
  if (lane == 0 && vertices > 0) {
    atomicAdd(g.counts + 1, vertices);
    atomicAdd(g.counts + 2, arcs);
  }
}
)";

}  // namespace gossamer::program_detail
