// Watches over MPI_Init by a thread with the default deadline, and over MPI_Finalize at exit for
// ten seconds.
#include "machine/mpi/start.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "gossamer/base/check_mpi.hpp"
#include "gossamer/base/configuration.hpp"
#include "machine/mpi/world.hpp"

namespace gossamer::mpi {

namespace {

// Runs after main returned or std::exit was called. MPI_Finalize is collective and waits for every
// process: it gets ten seconds, and is left out when one is known to be gone. _exit then keeps the
// status that the program chose.
void leave(int status, void*) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  if (world().signs != nullptr) world().signs->stop();
  if (!world().lost) {
    std::thread([status] {
      std::this_thread::sleep_for(std::chrono::seconds(10));
      std::fflush(nullptr);
      _exit(status);
    }).detach();
    if (MPI_Finalize() == MPI_SUCCESS) return;
  }
  std::fflush(nullptr);
  _exit(status);
}

/// Ends the process unless it goes within the default deadline.
class start_watch {
 public:
  start_watch() : watcher_([this](const std::stop_token& stop) { watch(stop); }) {}

 private:
  void watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, limit_, [] { return false; });
    if (stop.stop_requested()) return;
    std::fprintf(stderr,
                 "gossamer: MPI did not start within %.3g s: a process of the job has not come to "
                 "open an mpi machine\n",
                 std::chrono::duration<double>(limit_).count());
    std::fflush(nullptr);
    _exit(4);
  }

  const std::chrono::nanoseconds limit_ = configuration::default_deadline();
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread watcher_;  ///< last, so that it goes first
};

// The program may end MPI itself. MPI_Finalize first frees MPI_COMM_SELF and so calls this.
int stop_signs(MPI_Comm, int, void*, void*) {
  if (world().signs != nullptr) world().signs->stop();
  return MPI_SUCCESS;
}

}  // namespace

world_state& world() {
  static auto* state = new world_state;
  return *state;
}

std::mutex& calls() {
  return world().calls;
}
MPI_Comm communicator() {
  return world().communicator;
}

void start() {
  int initialized = 0, level = MPI_THREAD_SINGLE;
  GOSSAMER_CHECK_MPI(MPI_Initialized(&initialized));
  if (initialized != 0) {
    GOSSAMER_CHECK_MPI(MPI_Query_thread(&level));
  } else {
    const start_watch bounded;
    GOSSAMER_CHECK_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level));
    on_exit(leave, nullptr);
  }
  if (level < MPI_THREAD_SERIALIZED)
    throw usage_error(
        "mpi: MPI was started without thread support; MPI_THREAD_SERIALIZED at least is needed, "
        "because a rank's program runs on a thread of its own");
  int key = MPI_KEYVAL_INVALID;
  GOSSAMER_CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stop_signs, &key, nullptr));
  GOSSAMER_CHECK_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr));
}

}  // namespace gossamer::mpi
