// One process of an MPI job is killed while tasks of all ranks work on each other's memory. The
// others find out that its process is no more, name it, and exit with code 4.
//
//   mpirun -n P --enable-recovery test_mpi_killed_tasks FOLDER polled|thread
#include <csignal>
#include <fstream>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/task/global_tasks.hpp"

using namespace gossamer;

namespace {

using counts = global_array<std::int64_t>;

/// For ever, unless somebody dies: at work, but soon. A hundred answers from others take seconds
/// where processes share cores with much else, and count against the limit below.
task<> add(global_tasks& g, counts a, bool dies) {
  for (std::int64_t k = 0;; ++k) {
    if (dies && k == 10000) std::raise(SIGKILL);
    const auto to = a[k * 7 % a.size()];
    if (k % 100 == 0)
      co_await g.call(to, [](std::int64_t& n) { ++n; });
    else
      co_await g.post(to, [](std::int64_t& n) { ++n; });
  }
}

}  // namespace

int main(int, char** arguments) {
  machine m = machine::open("mpi:1");
  const int victim = m.size() - 1;
  int self = 0;
  while (!m.here(self)) ++self;
  std::ofstream report(std::string(arguments[1]) + "/rank" + std::to_string(self));
  run_options options;
  options.deadline = std::chrono::seconds(2);
  const auto begin = std::chrono::steady_clock::now();
  const auto program = [&](rank& r) {
    global_tasks_options o;
    if (std::string(arguments[2]) == "thread") o.manager = make_thread_manager;
    global_tasks g(r, o);
    const auto a = g.heap().allocate<std::int64_t>(1000);
    g.run(add(g, a, r.id() == victim));
  };
  try {
    m.run(program, options);
  } catch (const rank_error& e) {
    const auto took = std::chrono::steady_clock::now() - begin;
    // Ranks that wait for the victim look stuck as well, and nobody names those.
    const auto named = "rank " + std::to_string(victim) + ": its process has ";
    const bool right = e.timed_out() && e.peer() == victim &&
                       std::string(e.what()).find(named) != std::string::npos;
    report << (right && took < std::chrono::seconds(20) ? "named the victim" : "wrong") << ": "
           << e.what() << "\n";
  }
  try {
    m.run(program, options);
  } catch (const foreign_error& e) {
    report << "refused: " << e.what() << "\n";
  }
  report.flush();
  return 4;
}
