// The thread that counts up in shared memory and sends messages to processes that share no memory,
// and that notes when each peer was last heard.
#include "machine/mpi/pulses.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "gossamer/base/atomics.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/wait.hpp"
#include "machine/mpi/world.hpp"

namespace gossamer::mpi {

namespace {

using std::chrono::milliseconds, std::chrono::nanoseconds;

/// Signs that may be missed before silence means anything: threads of busy hosts come late.
constexpr int missed = 10;

nanoseconds pace_of_signs() {
  return std::clamp<nanoseconds>(configuration::default_deadline() / 32, milliseconds(5),
                                 milliseconds(100));
}

/// Also while its parent has not asked for its exit code.
bool has_ended(pid_t process) {
  if (kill(process, 0) != 0) return errno == ESRCH;
  // A stream would allocate, and this is asked within waits. The state comes early in the file.
  char text[256];
  std::snprintf(text, sizeof text, "/proc/%d/stat", static_cast<int>(process));
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  if (size <= 0) return false;
  const std::string_view line(text, static_cast<std::size_t>(size));
  const auto name_ends = line.rfind(')');  // its name may hold anything
  if (name_ends == std::string_view::npos || name_ends + 2 >= line.size()) return false;
  const char state = line[name_ends + 2];
  return state == 'Z' || state == 'X';
}

std::uint64_t& count_in(const shared_block& block) {
  return *reinterpret_cast<std::uint64_t*>(block.data() + pulses::count_at);
}

}  // namespace

pulses::pulses(int self, shared_block mine, std::vector<shared_block> theirs, MPI_Comm messages)
    : self_(self),
      mine_(std::move(mine)),
      messages_(messages),
      pace_(pace_of_signs()),
      clock_(16 * pace_) {  // a look counts for two signs at most
  for (auto& block : theirs) {
    auto& p = *peers_.emplace_back(std::make_unique<peer>());
    p.block = std::move(block);
    any_messages_ = any_messages_ || (p.block.data() == nullptr &&
                                      peers_.size() - 1 != static_cast<std::size_t>(self));
  }
  server_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

void pulses::stop() {
  server_.request_stop();
  if (server_.joinable()) server_.join();
}

void pulses::serve(const std::stop_token& stop) {
  sigset_t all;  // signals are for the program's threads
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (!stop.stop_requested()) {
    look();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, pace_, [] { return false; });
  }
}

void pulses::look() {
  const std::int64_t now = clock_.look().count();
  auto& count = count_in(mine_);
  std_atomics::store_relaxed(count, std_atomics::load_relaxed(count) + 1);
  for (auto& p : peers_) {
    if (p->block.data() == nullptr) continue;
    const auto seen = std_atomics::load_relaxed(count_in(p->block));
    if (seen == p->count) continue;
    p->count = seen;
    p->heard = now;
  }
  if (any_messages_) exchange(now);
  looked_ = now;
}

// What fails here says nothing that silence does not, so results of calls are not looked at. At
// most one message to each process is on its way out.
void pulses::exchange(std::int64_t now) {
  static constexpr char sign = 1;
  const std::lock_guard lock(calls());
  for (std::size_t i = 0; i < 4 * peers_.size(); ++i) {
    int found = 0;
    char byte = 0;
    MPI_Message matched = MPI_MESSAGE_NULL;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, 0, messages_, &found, &matched, &status) != MPI_SUCCESS ||
        found == 0)
      break;
    MPI_Mrecv(&byte, 1, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
    peers_[static_cast<std::size_t>(status.MPI_SOURCE)]->heard = now;
  }
  for (std::size_t r = 0; r < peers_.size(); ++r) {
    peer& p = *peers_[r];
    if (static_cast<int>(r) == self_ || p.block.data() != nullptr) continue;
    int done = 1;
    if (p.sending != MPI_REQUEST_NULL) MPI_Test(&p.sending, &done, MPI_STATUS_IGNORE);
    if (done != 0) MPI_Isend(&sign, 1, MPI_BYTE, static_cast<int>(r), 0, messages_, &p.sending);
  }
}

std::string pulses::lost(int rank, nanoseconds limit) const {
  const peer& p = *peers_[static_cast<std::size_t>(rank)];
  if (rank == self_) return {};
  const auto process = static_cast<pid_t>(p.block.where().process);
  if (p.block.data() != nullptr && has_ended(process)) return "has ended";
  const nanoseconds silent(looked_.load() - p.heard.load());
  if (silent < std::max<nanoseconds>(limit, missed * pace_)) return {};
  char text[64];
  std::snprintf(text, sizeof text, "has given no sign of life for %.3g s",
                std::chrono::duration<double>(silent).count());
  return text;
}

}  // namespace gossamer::mpi
