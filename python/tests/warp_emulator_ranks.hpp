// One round of all ranks, each a block of 64 threads (test_program_kernel.py).
extern "C" void run_ranks(const gs_view* views, int ranks) {
  constexpr unsigned int warps = 2;
  blockDim.x = 32 * warps;
  gridDim.x = 1;
  for (int r = 0; r < ranks; ++r) {
    std::vector<emulated_warp> all(warps);
    emulated_block here(32 * warps);
    block = &here;
    std::vector<std::thread> threads;
    for (unsigned int t = 0; t < blockDim.x; ++t)
      threads.emplace_back([&, r, t] {
        threadIdx.x = t;
        blockIdx.x = 0;
        ballots = 0;
        warp = &all[t / 32];
        gossamer_round(views[r]);
      });
    for (std::thread& t : threads) t.join();
  }
}
