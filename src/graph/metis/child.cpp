// fork, a shared mapping for the answer, and a wait in small steps that watches the stop token.
#include "graph/metis/child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>

#include "graph/parallel.hpp"

namespace gossamer::detail {
namespace {

/// In front of the answer; written by the child, read after it has ended.
struct alignas(64) outcome {
  int code;
  bool finished;
};

/// Whatever the child prints, and what the parent had not flushed, must not mix with the parent's.
void silence_stdout() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    ::dup2(nowhere, STDOUT_FILENO);
  else
    ::close(STDOUT_FILENO);
}

/// Kills and reaps the child unless it has been reaped.
struct child {
  pid_t id;
  ~child() {
    if (id <= 0) return;
    ::kill(id, SIGKILL);
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};

}  // namespace

void run_in_child(const std::stop_token& stop, const std::string& what, std::size_t bytes,
                  const std::function<int(void*)>& work,
                  const std::function<void(int, const void*)>& take) {
  check_stop(stop, what.c_str());
  const std::size_t all = sizeof(outcome) + bytes;
  const bool apart = stop.stop_possible();
  void* memory = ::mmap(nullptr, all, PROT_READ | PROT_WRITE,
                        MAP_ANONYMOUS | (apart ? MAP_SHARED : MAP_PRIVATE), -1, 0);
  if (memory == MAP_FAILED) throw capacity_error(what + ": no memory for the result");
  const std::unique_ptr<void, std::function<void(void*)>> owner(
      memory, [all](void* p) { ::munmap(p, all); });
  auto* state = static_cast<outcome*>(memory);
  void* result = state + 1;
  if (!apart) {
    take(work(result), result);
    return;
  }
  const pid_t parent = ::getpid();
  child one{::fork()};
  if (one.id < 0) {
    throw capacity_error(what + ": no process of its own could be started: " +
                         std::generic_category().message(errno));
  }
  if (one.id == 0) {
    // The child. It leaves by _exit alone: nothing of the parent's is flushed or destroyed twice.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // the parent had gone before the line above
    for (const int signal : {SIGINT, SIGTERM, SIGABRT}) ::signal(signal, SIG_DFL);
    ::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group: the parent decides
    silence_stdout();
    try {
      state->code = work(result);
      state->finished = true;
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  // Short steps at first, for small graphs; 10 ms at most, so that a stop is seen soon.
  auto step = std::chrono::microseconds(50);
  for (;;) {
    const pid_t ended = ::waitpid(one.id, nullptr, WNOHANG);
    // ECHILD: the process ignores SIGCHLD, so the system reaped the child; the outcome tells.
    if (ended == one.id || (ended < 0 && errno == ECHILD && ::kill(one.id, 0) != 0)) break;
    check_stop(stop, what.c_str());
    std::this_thread::sleep_for(step);
    step = std::min(2 * step, std::chrono::microseconds(10000));
  }
  one.id = 0;
  if (!state->finished)
    throw capacity_error(what + ": its process was killed; it probably ran out of memory");
  take(state->code, result);
}

}  // namespace gossamer::detail
