// A round on a GPU: every own vertex of the frontier offers what goes out along its arcs to the
// targets, wherever they are.
//
// A warp takes 32 vertices: rows of fewer than 32 arcs a lane each, longer ones all lanes together.
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

extern "C" __global__ void __launch_bounds__(256) gossamer_round(const gs_view g) {
  const int lane = threadIdx.x & 31;
  const long long warps = (long long)gridDim.x * (blockDim.x >> 5);
  const long long words = (g.rows + 31) >> 5;
  const K* own = g.keys[g.rank];
  unsigned long long vertices = 0, arcs = 0;
  long long word = (long long)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  for (; word < words; word += warps) {
    const unsigned int bits = g.frontier[word];
    if (bits == 0) continue;
    __syncwarp();
    if (lane == 0) g.frontier[word] = 0;
    const long long v = (word << 5) + lane;
    const bool active = (bits >> lane) & 1;
    const long long begin = active ? g.offsets[v] : 0;
    const long long length = active ? g.offsets[v + 1] - begin : 0;
    const K key = active ? *(volatile const K*)(own + v) : K(0);
    vertices += active;
    arcs += length;
    unsigned int longs = __ballot_sync(0xffffffffu, length >= 32);
    while (longs != 0) {
      const int from = __ffs(longs) - 1;
      longs &= longs - 1;
      const long long b = __shfl_sync(0xffffffffu, begin, from);
      const long long n = __shfl_sync(0xffffffffu, length, from);
      const T value = gs_from_key(__shfl_sync(0xffffffffu, key, from));
      for (long long i = lane; i < n; i += 32) gs_offer(g, value, T(n), b + i);
      __syncwarp();
    }
    if (length < 32)
      for (long long i = 0; i < length; ++i)
        gs_offer(g, gs_from_key(key), T(length), begin + i);
    __syncwarp();
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
