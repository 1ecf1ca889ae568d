// One process of an MPI job is killed while tasks of all ranks work on each other's memory. The
// others find out that its process is no more, name it, and exit with code 4.
//
//   mpirun -n P --enable-recovery test_mpi_killed_tasks FOLDER polled|thread
#include <csignal>
#include <string>

#include "failure/mpi_killed.hpp"
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
  return survive(
      arguments[1],
      [&](rank& r, int victim) {
        global_tasks_options o;
        if (std::string(arguments[2]) == "thread") o.manager = make_thread_manager;
        global_tasks g(r, o);
        const auto a = g.heap().allocate<std::int64_t>(1000);
        g.run(add(g, a, r.id() == victim));
      },
      // Ranks that wait for the victim look stuck as well, and nobody names those.
      [](const rank_error& e, int victim, auto took) {
        const auto named = "rank " + std::to_string(victim) + ": its process has ";
        return std::string(e.what()).find(named) != std::string::npos &&
               took < std::chrono::seconds(20);
      });
}
