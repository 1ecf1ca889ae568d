// Pieces between a GPU and pageable memory, by pinned blocks: two a thread, filled or emptied by
// the host while the copy engine is at the other.
//
// All copies of a GPU go through one stream, so that they take one of its hardware queues, whatever
// the number of threads. An event recorded behind a copy may come after other threads' copies: a
// wait is then longer than it need be, never shorter.
#include <cuda_runtime_api.h>

#include <array>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/wait.hpp"
#include "machine/cuda/guard.hpp"
#include "machine/cuda_backend.hpp"
#include "machine/driver_gate.hpp"
#include "machine/piece_team.hpp"

namespace gossamer::cuda_backend {

namespace {

constexpr int blocks = 2 * most_piece_threads;

/// A GPU's way to the pinned blocks.
struct lane {
  void* stream = nullptr;
  std::array<void*, blocks> copied{};  ///< events, by block
  [[nodiscard]] bool ready() const noexcept { return copied.back() != nullptr; }
};

struct staging {
  std::mutex turn;  ///< one block of memory at a time: a second would share the link anyway
  std::byte* pinned = nullptr;
  std::vector<lane> lanes;  ///< by ordinal

  [[nodiscard]] std::byte* block(int i) const { return pinned + i * piece_bytes; }

  void prepare(int ordinal) {
    if (lanes.empty()) lanes.resize(devices().devices.size());
    lane& mine = lanes.at(static_cast<std::size_t>(ordinal));
    if (mine.ready()) return;
    const driver_pause pause;
    if (pinned == nullptr)
      pinned = static_cast<std::byte*>(allocate_pinned(ordinal, blocks * piece_bytes));
    if (mine.stream == nullptr) mine.stream = create_stream(ordinal, false);
    for (void*& event : mine.copied)
      if (event == nullptr) event = create_event(ordinal);
  }
};

// Kept to the end of the process: the driver takes it back with the context.
staging& the_staging() {
  static auto* made = new staging;
  return *made;
}

void wait_for(void* event, int ordinal) {
  const auto deadline = configuration::default_deadline();
  const auto start = steady::now();
  for (backoff pause; !event_done(event);)
    if (pause.pause() && steady::now() - start > deadline)
      throw rank_error("a copy on cuda:" + std::to_string(ordinal) + " did not end within " +
                           std::to_string(deadline.count() / 1'000'000) + " ms",
                       -1, -1, true);
}

/// A thread's two blocks in turn.
class block_pair {
 public:
  block_pair(const staging& s, const lane& way, int ordinal, int thread)
      : staging_(s), way_(way), ordinal_(ordinal), first_(2 * thread), guard_(ordinal) {}
  /// What has been begun ends before the blocks are another's, whatever happened.
  ~block_pair() {
    for (int i = 0; i < 2; ++i) {
      try {
        wait(i);
      } catch (...) {
      }
    }
  }
  block_pair(const block_pair&) = delete;
  block_pair& operator=(const block_pair&) = delete;

  [[nodiscard]] std::byte* data(int i) const { return staging_.block(first_ + i); }
  void copy(int i, void* to, const void* from, std::size_t bytes) {
    GOSSAMER_CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                        static_cast<cudaStream_t>(way_.stream)));
    record_event(event(i), way_.stream);
    busy_[i] = true;
  }
  void wait(int i) {
    if (!busy_[i]) return;
    busy_[i] = false;
    wait_for(event(i), ordinal_);
  }

 private:
  [[nodiscard]] void* event(int i) const {
    return way_.copied[static_cast<std::size_t>(first_ + i)];
  }
  const staging& staging_;
  const lane& way_;
  const int ordinal_, first_;
  const device_guard guard_;
  std::array<bool, 2> busy_{};
};

template <class Write>
void upload(staging& s, int ordinal, std::byte* to, std::size_t bytes, const Write& write) {
  piece_team team(bytes);
  team.each_thread([&](int thread) {
    block_pair mine(s, s.lanes[static_cast<std::size_t>(ordinal)], ordinal, thread);
    for (int i = 0;; i ^= 1) {
      const auto piece = team.next();
      if (!piece) break;
      mine.wait(i);
      write(piece->offset, mine.data(i), piece->bytes);
      mine.copy(i, to + piece->offset, mine.data(i), piece->bytes);
    }
    mine.wait(0);
    mine.wait(1);
  });
}

template <class Read>
void download(staging& s, int ordinal, const std::byte* from, std::size_t bytes, const Read& read) {
  piece_team team(bytes);
  team.each_thread([&](int thread) {
    block_pair mine(s, s.lanes[static_cast<std::size_t>(ordinal)], ordinal, thread);
    const auto begin = [&](int i) {
      const auto piece = team.next();
      if (piece) mine.copy(i, mine.data(i), from + piece->offset, piece->bytes);
      return piece;
    };
    auto now = begin(0);
    for (int i = 0; now; i ^= 1) {
      const auto after = begin(i ^ 1);
      mine.wait(i);
      read(now->offset, mine.data(i), now->bytes);
      now = after;
    }
  });
}

/// What is not large, or cannot be staged now, goes by the driver, all of it at once.
constexpr std::size_t least_bytes = 4 * piece_bytes;

/// The staging, as long as this lives; nothing when another thread has it, or when it is not there
/// and cannot be taken beside the run that this thread is in.
class staging_turn {
 public:
  explicit staging_turn(int ordinal) : lock_(the_staging().turn, std::try_to_lock) {
    if (!lock_) return;
    staging& s = the_staging();
    const auto at = static_cast<std::size_t>(ordinal);
    if (thread_use() == gpu_use::none) s.prepare(ordinal);
    there_ = at < s.lanes.size() && s.lanes[at].ready();
  }
  explicit operator bool() const noexcept { return there_; }
  staging* operator->() const noexcept { return &the_staging(); }
  staging& operator*() const noexcept { return the_staging(); }

 private:
  std::unique_lock<std::mutex> lock_;
  bool there_ = false;
};

}  // namespace

void prepare_pieces(int ordinal) {
  staging& s = the_staging();
  const std::lock_guard lock(s.turn);
  s.prepare(ordinal);
}

bool copy_by_pieces(void* to, const void* from, std::size_t bytes, int target, int source) {
  if (bytes < least_bytes || (target >= 0) == (source >= 0)) return false;
  const int ordinal = target >= 0 ? target : source;
  cudaPointerAttributes host_side{};
  GOSSAMER_CHECK_CUDA(cudaPointerGetAttributes(&host_side, target >= 0 ? from : to));
  if (host_side.type != cudaMemoryTypeUnregistered) return false;  // the engine reaches it itself
  const staging_turn turn(ordinal);
  if (!turn) return false;
  auto* there = static_cast<std::byte*>(to);
  const auto* here = static_cast<const std::byte*>(from);
  if (target >= 0)
    upload(*turn, ordinal, there, bytes, [&](std::size_t at, std::byte* into, std::size_t n) {
      std::memcpy(into, here + at, n);
    });
  else
    download(*turn, ordinal, here, bytes,
             [&](std::size_t at, const std::byte* data, std::size_t n) {
               std::memcpy(there + at, data, n);
             });
  return true;
}

void read_pieces(const void* from, std::size_t bytes, const piece_reader& read) {
  const int ordinal = home_of(from);
  if (const staging_turn turn(ordinal); turn)
    return download(*turn, ordinal, static_cast<const std::byte*>(from), bytes, read);
  std::vector<std::byte> all(bytes);
  copy(all.data(), from, bytes);
  piece_team(bytes).run(
      [&](int, piece_range p) { read(p.offset, all.data() + p.offset, p.bytes); });
}

void write_pieces(void* to, std::size_t bytes, const piece_writer& write) {
  const int ordinal = home_of(to);
  if (const staging_turn turn(ordinal); turn)
    return upload(*turn, ordinal, static_cast<std::byte*>(to), bytes, write);
  std::vector<std::byte> all(bytes);
  piece_team(bytes).run(
      [&](int, piece_range p) { write(p.offset, all.data() + p.offset, p.bytes); });
  copy(to, all.data(), bytes);
}

}  // namespace gossamer::cuda_backend
