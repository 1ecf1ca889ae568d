// One round of all ranks at the same time, each a block of 64 threads (test_program_kernel.py).
extern "C" void run_ranks(const gs_view* views, int ranks) {
  constexpr unsigned int warps = 2;
  blockDim.x = 32 * warps;
  gridDim.x = 1;
  std::vector<emulated_warp> all(warps * static_cast<unsigned int>(ranks));
  std::vector<std::thread> threads;
  for (unsigned int r = 0; r < static_cast<unsigned int>(ranks); ++r)
    for (unsigned int t = 0; t < blockDim.x; ++t)
      threads.emplace_back([&, r, t] {
        threadIdx.x = t;
        blockIdx.x = 0;
        warp = &all[r * warps + t / 32];
        gossamer_round(views[r]);
      });
  for (std::thread& t : threads) t.join();
}
