// Tries threads of its own first: those may fail. Once for each thread and size of its team.
#include "gossamer/base/team.hpp"

#include <latch>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

/// Starts `count` threads that are there at once, and ends them.
void try_threads(int count) {
  std::latch over(1);
  std::vector<std::thread> tried;
  std::string refused;
  try {
    for (int i = 0; i < count; ++i) tried.emplace_back([&over] { over.wait(); });
  } catch (const std::system_error& e) {
    refused = e.what();
  }
  over.count_down();
  for (std::thread& one : tried) one.join();
  if (refused.empty()) return;
  throw error("only " + std::to_string(tried.size() + 1) + " of a team's " +
              std::to_string(count + 1) + " threads could be started: " + refused);
}

/// OpenMP keeps them for the thread that asked first.
void make_team([[maybe_unused]] int threads) {
#ifdef _OPENMP
  int there = 0;
#pragma omp parallel num_threads(threads) reduction(+ : there)
  ++there;
#endif
}

}  // namespace

void require_team(int threads) {
  thread_local int largest = 1;
  if (threads <= largest) return;
  static std::mutex one_at_a_time;  // what one has tried another would take
  const std::scoped_lock lock(one_at_a_time);
  try_threads(threads - 1);
  make_team(threads);
  largest = threads;
}

}  // namespace gossamer
