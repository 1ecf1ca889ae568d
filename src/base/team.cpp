// Tries threads of its own first: those may fail. Once for each thread and size of its team.
#include "gossamer/base/team.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <latch>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/throwing.hpp"

namespace gossamer {

namespace {

std::mutex one_at_a_time;  // what one has tried another would take

/// In a child made by fork() nobody is left to unlock it.
[[maybe_unused]] const int renewed =
    ::pthread_atfork(nullptr, nullptr, [] { ::new (&one_at_a_time) std::mutex; });

/// A thread that was joined counts against the limits of its user for a moment more.
void wait_until_gone(pid_t thread) {
  const std::string listed = "/proc/self/task/" + std::to_string(thread);
  for (int i = 0; i < 1000 && ::access(listed.c_str(), F_OK) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Starts `count` threads that are there at once, and ends them.
void try_threads(int count) {
  std::latch over(1);
  std::vector<pid_t> names(static_cast<std::size_t>(count), 0);
  std::vector<std::thread> tried;
  tried.reserve(names.size());
  std::optional<std::system_error> refused;
  try {
    for (pid_t& name : names)
      tried.emplace_back([&over, &name] {
        name = ::gettid();
        over.wait();
      });
  } catch (const std::system_error& e) {
    refused = e;
  } catch (...) {  // no memory for one
    over.count_down();
    for (std::thread& one : tried) one.join();
    throw;
  }
  over.count_down();
  for (std::thread& one : tried) one.join();
  for (std::size_t i = 0; i < tried.size(); ++i) wait_until_gone(names[i]);
  if (!refused) return;
  throw error("only " + std::to_string(tried.size() + 1) + " of a team's " +
              std::to_string(count + 1) + " threads could be started: " + refused->what());
}

/// OpenMP keeps them for the thread that asked first.
void make_team([[maybe_unused]] int threads) {
#ifdef _OPENMP
  bool ready = true;
#pragma omp parallel num_threads(threads) reduction(&& : ready)
  ready = ready_to_throw();
  if (!ready) throw std::bad_alloc();
#endif
}

}  // namespace

void require_team(int threads) {
  thread_local int largest = 1;
  if (threads <= largest) return;
  const std::scoped_lock lock(one_at_a_time);
  try_threads(threads - 1);
  make_team(threads);
  largest = threads;
}

}  // namespace gossamer
