// Predicate-based filtering by links and routers with a kernel of one's own: the example program of
// Ben-Nun et al., "Groute" (PPoPP 2017), Fig. 6, on GPUs. The host scatters an array to whichever
// GPU is free; each filters the segments that it gets where they lie, and sends back what it keeps.
// predicate_filter.cpp is the same on any ranks, with the host's filter.
//
//   predicate_filter_gpu [SPEC [ELEMENTS]]      e.g. predicate_filter_gpu "cuda:0*3" 1000000
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/machine/kernels.cuh"
#include "gossamer/machine/memory.hpp"

using namespace gossamer;
using namespace gossamer::dataflow;

__host__ __device__ static bool keep(int x) {
  return x % 3 == 0;
}

__global__ static void filter(const int* in, std::size_t n, int* out, unsigned* kept) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && keep(in[i])) out[atomicAdd(kept, 1u)] = in[i];
}

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cuda");
  std::vector<int> input(count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1000000), output;
  std::iota(input.begin(), input.end(), 0);
  constexpr std::size_t packet = 64 << 10;

  wiring w(m);
  const auto host = w.add_endpoint(0, "host");
  const auto host_to_gpus = w.add_router(1, m.size(), any_device(), "host to GPUs");
  const auto gpus_to_host = w.add_router(m.size(), 1, any_device(), "GPUs to host");
  const auto dist = w.connect(host, host_to_gpus, {packet});
  const auto collect = w.connect(gpus_to_host, host, {packet, 2});
  std::vector<link_id> in, out;
  std::vector<buffer<int>> room;  // on each GPU for what it keeps, and for how much that is
  std::vector<buffer<unsigned>> length;
  for (int r = 0; r < m.size(); ++r) {
    in.push_back(w.connect(host_to_gpus, w.device(r), {packet, 2, /*one_at_a_time=*/true}));
    out.push_back(w.connect(w.device(r), gpus_to_host));
    room.push_back(make_native_buffer<int>(m[r], packet / sizeof(int)));
    length.push_back(make_native_buffer<unsigned>(m[r], 1));
  }

  run(m, w, [&](flow& f) {
    if (f.id() == 0) {
      f[collect].on_receive([&](const pending_segment& s) {
        const auto kept = s.as<int>();
        output.resize(output.size() + kept.size());
        copy_bytes(output.data() + output.size() - kept.size(), kept.data(), kept.size_bytes());
      });
      f[dist].send(std::span(input));
      f[dist].shutdown();
    }
    const auto me = static_cast<std::size_t>(f.id());
    rank& r = f.rank();
    for (auto s = f[in[me]].receive().get(); s; s = f[in[me]].receive().get()) {
      const auto these = s.as<const int>();
      unsigned kept = 0;
      r.fill(length[me].data(), 0, sizeof kept);
      filter<<<these.size() / 256 + 1, 256, 0, static_cast<cudaStream_t>(r.stream().native())>>>(
          these.data(), these.size(), room[me].data(), length[me].data());
      GOSSAMER_CHECK_CUDA(cudaGetLastError());
      r.synchronize();
      copy_bytes(&kept, length[me].data(), sizeof kept);
      f[in[me]].release(s);
      f[out[me]].send(room[me].span().first(kept)).wait();
    }
    f[out[me]].shutdown();
  });

  std::sort(output.begin(), output.end());
  const bool right = output.size() == (input.size() + 2) / 3 &&
                     std::all_of(output.begin(), output.end(), keep) &&
                     std::adjacent_find(output.begin(), output.end()) == output.end();
  std::cout << output.size() << " of " << input.size() << " kept"
            << (right ? "\n" : ", which is wrong\n");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "predicate_filter_gpu: " << e.what() << '\n';
  return 2;
}
