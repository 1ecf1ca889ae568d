// Predicate-based filtering with a router in device code, which Ben-Nun et al., "Groute" (PPoPP
// 2017), name as future work. Each GPU filters its part of an array. What its blocks keep goes
// segment by segment to whichever GPU is free, which the sending block decides. No host takes part
// until all is done. predicate_filter.cu is the program that hosts drive.
//
//   routed_filter [SPEC [ELEMENTS]]      e.g. routed_filter "cuda:0*3" 1000000
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/device_router.cuh"

using namespace gossamer;
using namespace gossamer::dataflow;

using to_any = device_policy::any_device;

static constexpr std::size_t piece = 4096;  // elements that a block filters at once
static constexpr unsigned threads = 256;

__host__ __device__ static bool keep(int x) {
  return x % 3 == 0;
}

// The first `filters` blocks filter. The others append what comes to this GPU to `out`.
__global__ static void __launch_bounds__(threads, 1)
    filter_and_collect(const __grid_constant__ device_router_view<to_any> route, unsigned filters,
                       const int* in, std::size_t n, int* out, unsigned* collected) {
  if (blockIdx.x < filters) {
    __shared__ int kept[piece];
    __shared__ unsigned count;
    for (std::size_t at = blockIdx.x * piece; at < n; at += filters * piece) {
      if (threadIdx.x == 0) count = 0;
      __syncthreads();
      const std::size_t end = at + piece < n ? at + piece : n;
      for (std::size_t i = at + threadIdx.x; i < end; i += threads)
        if (keep(in[i])) kept[atomicAdd(&count, 1u)] = in[i];
      __syncthreads();
      if (!route.send(kept, count)) return;
    }
    route.shutdown();
    return;
  }
  __shared__ unsigned begin;
  received_segment s;
  while (route.receive(s)) {
    const auto count = static_cast<unsigned>(s.count<int>());
    if (threadIdx.x == 0) begin = atomicAdd(collected, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += threads) out[begin + i] = s.as<int>()[i];
    route.release(s);
  }
}

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cuda");
  std::vector<int> input(count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1000000);
  std::iota(input.begin(), input.end(), 0);
  const std::size_t n = input.size(), p = static_cast<std::size_t>(m.size());

  std::vector<int> ranks(p);
  std::iota(ranks.begin(), ranks.end(), 0);
  device_router<to_any> router(
      m, {.sources = ranks, .destinations = ranks, .segment = piece * sizeof(int)});
  std::vector<buffer<int>> in, out;  // on each GPU its part, and room for all that may come
  std::vector<buffer<unsigned>> collected;
  for (std::size_t r = 0; r < p; ++r) {
    const device& on = m[static_cast<int>(r)];
    const std::size_t first = n * r / p, part = n * (r + 1) / p - first;
    in.push_back(make_native_buffer<int>(on, part));
    out.push_back(make_native_buffer<int>(on, n / 3 + 1));
    collected.push_back(make_native_buffer<unsigned>(on, 1));
    copy_bytes(in[r].data(), input.data() + first, part * sizeof(int));
    fill_bytes(memory_kind::device, on.ordinal, collected[r].data(), 0, sizeof(unsigned));
  }

  run_options how;
  how.arenas = router.arenas();
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        const int blocks = std::max(2, router.blocks(r.id())), filters = blocks / 2;
        const auto route = router.begin(r, filters);
        filter_and_collect<<<static_cast<unsigned>(blocks), threads, 0,
                             static_cast<cudaStream_t>(r.stream().native())>>>(
            route, static_cast<unsigned>(filters), in[me].data(), in[me].size(), out[me].data(),
            collected[me].data());
        GOSSAMER_CHECK_CUDA(cudaGetLastError());
        r.synchronize();
      },
      how);

  std::vector<int> output;
  for (std::size_t r = 0; r < p; ++r) {
    unsigned here = 0;
    copy_bytes(&here, collected[r].data(), sizeof here);
    output.resize(output.size() + here);
    copy_bytes(output.data() + output.size() - here, out[r].data(), here * sizeof(int));
    std::cout << "rank " << r << " collected " << here << '\n';
  }
  std::sort(output.begin(), output.end());
  const bool right = output.size() == (n + 2) / 3 &&
                     std::all_of(output.begin(), output.end(), keep) &&
                     std::adjacent_find(output.begin(), output.end()) == output.end();
  std::cout << output.size() << " of " << n << " kept" << (right ? "\n" : ", which is wrong\n");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "routed_filter: " << e.what() << '\n';
  return 2;
}
