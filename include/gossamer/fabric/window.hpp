// Windows and signals: the memory ranks write into, and the counters that say it has arrived.
//
// Contract of the layer `fabric`: moves bytes between devices, with one ordering rule.
//   * put/get are one-sided. On a CPU rank they are done when the call returns; on a GPU rank they
//     are ordered in a stream (r.stream() unless another is given). The source may be reused after
//     r.flush(peer); r.quiet() completes every put.
//   * Per (source, target) pair a signal is delivered after every earlier put of the same stream.
//     Nothing else is ordered.
//   * A signal is a 64-bit counter. It is set or added to; waits are >=, never ==, and acquire:
//     a signal seen means the data is there.
//   * No call allocates memory or waits for ever: windows are carved from an arena planned before
//     the run, and every wait carries a deadline and names who waited for whom, on what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

/// Where a window or signal set lives on every rank.
enum class home : std::uint8_t {
  native,  ///< the rank's own memory: GPU memory on a GPU rank, host memory on a CPU rank
  host,    ///< host memory on every rank (pinned when the machine has a GPU): all can address it
};

/// One rank's view of a collectively created block: who has how much, where.
struct window_table {
  struct part {
    std::byte* data = nullptr;  ///< base address, meaningful in this process
    std::size_t size = 0;       ///< elements
    memory_kind kind = memory_kind::host;
    int ordinal = -1;
    bool direct = false;  ///< this rank's code (host code or kernels) may load and store there
    bool atomic = false;  ///< … and use atomics there
    std::size_t at = 0;   ///< where it begins in the rank's arena, in bytes
  };
  std::uint32_t id = 0;  ///< sequence number of the collective call
  std::size_t element = 1;
  int rank = 0;
  home where = home::native;
  std::vector<part> parts;             ///< one per rank
  std::byte** device_peers = nullptr;  ///< GPU rank: table of base addresses kernels may read

  /// usage_error for no rank.
  [[nodiscard]] const part& of(int peer) const {
    if (peer < 0 || static_cast<std::size_t>(peer) >= parts.size())
      throw usage_error("window " + std::to_string(id) + ": no rank " + std::to_string(peer) +
                        " among " + std::to_string(parts.size()));
    return parts[static_cast<std::size_t>(peer)];
  }
};

/// Symmetric memory: n(r) elements of T on every rank r. Cheap to copy; memory returns when the run
/// ends. T must be trivially copyable.
template <class T>
class window {
 public:
  window() = default;
  explicit window(const window_table* table) : table_(table) {}
  /// This rank's elements (device memory on a GPU rank with home::native).
  [[nodiscard]] std::span<T> local() const { return span_of(table_->rank); }
  /// The peer's elements when this rank's code may address them, else an empty span.
  [[nodiscard]] std::span<T> direct(int peer) const {
    return table_->of(peer).direct ? span_of(peer) : std::span<T>{};
  }
  [[nodiscard]] std::size_t size(int peer) const { return table_->of(peer).size; }
  [[nodiscard]] std::size_t size() const { return size(table_->rank); }
  [[nodiscard]] const window_table& table() const noexcept { return *table_; }

 private:
  [[nodiscard]] std::span<T> span_of(int r) const {
    const auto& part = table_->of(r);
    return {reinterpret_cast<T*>(part.data), part.size};
  }
  const window_table* table_ = nullptr;
};

/// One counter of a signal set: the same index on every rank.
struct signal {
  const window_table* table = nullptr;
  std::size_t index = 0;
};

/// What a signal does to the counter.
enum class signal_op : std::uint8_t { set, add };

/// n counters on every rank, all zero at creation. Each rank waits on its own; others raise them.
class signal_set {
 public:
  signal_set() = default;
  explicit signal_set(const window_table* table) : table_(table) {}
  [[nodiscard]] signal operator[](std::size_t index) const { return {table_, index}; }
  [[nodiscard]] std::size_t size() const { return table_->parts.at(table_->rank).size; }
  [[nodiscard]] const window_table& table() const noexcept { return *table_; }

 private:
  const window_table* table_ = nullptr;
};

}  // namespace gossamer
