// Arrays of an engine, listed once: a plan counts them, an engine takes them.
//
//   struct arrays {
//     buffer<std::uint32_t> seen;
//     window<vertex32> inbox;
//     void list(array_list& of, std::int64_t rows) {
//       of.add(seen, rows / 32);
//       of.add(inbox, rows);
//     }
//   };
//   layout.own(rank, "bitmaps", counted<arrays>(rows).own);  // the plan
//   array_list taken(device);                                // the engine
//   mine.list(taken, rows);
//
// A list that takes of a device leaves windows alone, and one that takes in a run leaves the
// others: an engine may list both kinds together.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::algorithm_detail {

/// What a list has counted.
struct listed_bytes {
  std::int64_t own = 0;          ///< arrays that live as long as the search
  std::int64_t window = 0;       ///< windows and scratch of a run, in the rank's own memory
  std::int64_t host_window = 0;  ///< the same in host memory
};

class array_list {
 public:
  /// Counts alone.
  array_list() = default;
  /// Takes arrays: buffers of the device's memory, others of the host's.
  explicit array_list(const device& on) : device_(&on) {}
  /// Collective. Takes windows, signals and scratch.
  explicit array_list(rank& r) : rank_(&r) {}

  template <class T>
  void add(buffer<T>& array, std::int64_t count) {
    bytes_.own += aligned(size_of<T>(count));
    if (device_ != nullptr)
      array = make_native_buffer<T>(*device_, static_cast<std::size_t>(count));
  }
  template <class T>
  void add(shared_array<T>& array, std::int64_t count) {
    bytes_.own += size_of<T>(count);
    if (device_ != nullptr) array = make_array<T>(static_cast<std::size_t>(count));
  }
  template <class T>
  void add(std::vector<T>& array, std::int64_t count) {
    bytes_.own += size_of<T>(count);
    if (device_ != nullptr) array.assign(static_cast<std::size_t>(count), T{});
  }
  template <class T>
  void add(window<T>& array, std::int64_t count, home at = home::native) {
    count_window(aligned(size_of<T>(count)), at);
    if (rank_ != nullptr) array = rank_->make_window<T>(static_cast<std::size_t>(count), at);
  }
  void add(signal_set& signals, std::int64_t count, home at = home::native) {
    count_window(aligned(size_of<std::uint64_t>(count)), at);
    if (rank_ != nullptr) signals = rank_->make_signals(static_cast<std::size_t>(count), at);
  }
  /// Scratch: what it holds ends with the run.
  template <class T>
  void add(std::span<T>& array, std::int64_t count, home at = home::native) {
    count_window(aligned(size_of<T>(count)), at);
    if (rank_ != nullptr) array = rank_->scratch<T>(static_cast<std::size_t>(count), at);
  }

  /// What a scalar_plan takes by itself.
  void count_agreement(int ranks) {
    count_window(aligned(size_of<std::uint64_t>(scalar_slot_words(ranks))), home::host);
  }
  /// What make_device_scalar() takes, where all GPUs address each other's memory.
  void count_device_agreement(int ranks) {
    count_window(aligned(size_of<std::uint64_t>(scalar_slot_words(ranks))), home::native);
    count_window(aligned(sizeof(std::uint32_t)), home::native);
  }

  [[nodiscard]] const listed_bytes& bytes() const { return bytes_; }

 private:
  template <class T>
  static std::int64_t size_of(std::int64_t count) {
    return count * static_cast<std::int64_t>(sizeof(T));
  }
  void count_window(std::int64_t bytes, home at) {
    (at == home::host ? bytes_.host_window : bytes_.window) += bytes;
  }

  const device* device_ = nullptr;
  rank* rank_ = nullptr;
  listed_bytes bytes_;
};

/// What `Arrays` take for such sizes.
template <class Arrays, class... Sizes>
listed_bytes counted(const Sizes&... sizes) {
  array_list counts;
  Arrays().list(counts, sizes...);
  return counts.bytes();
}

/// Such arrays, of a device (`device()`: of the host) or in a run.
template <class Arrays, class From, class... Sizes>
Arrays taken(From&& from, const Sizes&... sizes) {
  Arrays arrays;
  array_list list(from);
  arrays.list(list, sizes...);
  return arrays;
}

}  // namespace gossamer::algorithm_detail
