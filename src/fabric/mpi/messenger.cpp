// Sends and receives that are started and polled, never waited for. Buffers are recycled, and those
// that MPI may still use at the end are never freed.
#include "fabric/mpi/messenger.hpp"

#include <limits>

#include "gossamer/base/check_mpi.hpp"
#include "machine/mpi/world.hpp"

namespace gossamer::mpi {

namespace {

constexpr std::size_t kept_spares = 64, kept_bytes = std::size_t{1} << 20;
// MPI promises tags up to 32,767: the lower half is for messages, the upper for what goes straight.
constexpr int straight_tags = 16384;
// Of the buffers made beforehand: what scalars and small collectives fill.
constexpr std::size_t small_bytes = 2048;

int count_of(std::size_t bytes) {
  require(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
          "mpi: a message of 2 GiB or more");
  return static_cast<int>(bytes);
}

bool finished(MPI_Request& request) {
  int done = 1;
  if (request != MPI_REQUEST_NULL) GOSSAMER_CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

}  // namespace

messenger::messenger(int tag, int processes)
    : tag_(tag),
      awaited_(static_cast<std::size_t>(processes), MPI_REQUEST_NULL),
      outgoing_(kept_spares) {
  straight_.reserve(8);
  for (int i = 0; i < processes; ++i) incoming_.emplace_back(kept_spares);
  spare_.resize(processes > 1 ? kept_spares : 0);
  for (auto& s : spare_) s.reserve(small_bytes);
}

messenger::~messenger() {
  // MPI may still read or write these buffers; nothing may wait here, so they are never freed.
  // NOLINTBEGIN(bugprone-unhandled-exception-at-new): without memory the process ends
  if (!outgoing_.empty()) new ring<transfer>(std::move(outgoing_));
  for (auto& queue : incoming_)
    if (!queue.empty()) new ring<transfer>(std::move(queue));
  // NOLINTEND(bugprone-unhandled-exception-at-new)
}

message messenger::blank() {
  if (spare_.empty()) return {};
  message taken = std::move(spare_.back());
  spare_.pop_back();
  taken.clear();
  return taken;
}

void messenger::recycle(message&& done) {
  if (spare_.size() < kept_spares && done.capacity() <= kept_bytes)
    spare_.push_back(std::move(done));
}

void messenger::send(int to, message&& text) {
  const int bytes = count_of(text.size());
  std::lock_guard lock(calls());
  auto& sent = outgoing_.push() = {std::move(text), MPI_REQUEST_NULL};
  GOSSAMER_CHECK_MPI(
      MPI_Isend(sent.text.data(), bytes, MPI_BYTE, to, tag_, communicator(), &sent.request));
}

void messenger::send_straight(int to, const void* data, std::size_t bytes) {
  const int count = count_of(bytes);
  std::lock_guard lock(calls());
  auto& request = straight_.emplace_back(MPI_REQUEST_NULL);
  GOSSAMER_CHECK_MPI(
      MPI_Isend(data, count, MPI_BYTE, to, tag_ + straight_tags, communicator(), &request));
}

bool messenger::sent_straight() {
  std::lock_guard lock(calls());
  while (!straight_.empty() && finished(straight_.back())) straight_.pop_back();
  return straight_.empty();
}

void messenger::receive_straight(int source, void* to, std::size_t bytes) {
  const int count = count_of(bytes);
  std::lock_guard lock(calls());
  GOSSAMER_CHECK_MPI(MPI_Irecv(to, count, MPI_BYTE, source, tag_ + straight_tags, communicator(),
                               &awaited_[static_cast<std::size_t>(source)]));
}

bool messenger::received_straight(int source) {
  std::lock_guard lock(calls());
  return finished(awaited_[static_cast<std::size_t>(source)]);
}

void messenger::receive() {
  // Bounded, so that a flood from one process does not keep this one from its own work.
  for (int i = 0; i < 64; ++i) {
    int found = 0;
    MPI_Message matched = MPI_MESSAGE_NULL;
    MPI_Status status;
    GOSSAMER_CHECK_MPI(
        MPI_Improbe(MPI_ANY_SOURCE, tag_, communicator(), &found, &matched, &status));
    if (found == 0) return;
    int bytes = 0;
    GOSSAMER_CHECK_MPI(MPI_Get_count(&status, MPI_BYTE, &bytes));
    auto& queue = incoming_[static_cast<std::size_t>(status.MPI_SOURCE)];
    message text = blank();
    text.resize(static_cast<std::size_t>(bytes));  // first: without memory nothing half is queued
    auto& next = queue.push() = {std::move(text), MPI_REQUEST_NULL};
    ++held_;
    GOSSAMER_CHECK_MPI(MPI_Imrecv(next.text.data(), bytes, MPI_BYTE, &matched, &next.request));
  }
}

void messenger::round(const std::function<bool(int, std::span<const std::byte>)>& accept) {
  {
    std::lock_guard lock(calls());
    receive();
    while (!outgoing_.empty() && finished(outgoing_.front().request)) {
      recycle(std::move(outgoing_.front().text));
      outgoing_.pop();
    }
  }
  if (held_ == 0) return;
  for (std::size_t source = 0; source < incoming_.size(); ++source) {
    auto& queue = incoming_[source];
    while (!queue.empty()) {
      {
        std::lock_guard lock(calls());
        if (!finished(queue.front().request)) break;
      }
      if (!accept(static_cast<int>(source), queue.front().text)) break;
      recycle(std::move(queue.front().text));
      queue.pop();
      --held_;
    }
  }
}

}  // namespace gossamer::mpi
