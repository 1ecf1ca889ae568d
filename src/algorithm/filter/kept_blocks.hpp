// Where a GPU rank leaves what it keeps when nothing is gathered: blocks of its memory, taken as
// they are needed. Segments are selected straight into them, so that a result is written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer::filter_detail {

inline constexpr std::int64_t kept_block_bytes = std::int64_t{256} << 20;

template <class T>
class kept_blocks {
 public:
  /// `room`: bytes that all blocks may take.
  kept_blocks(const device& on, std::int64_t room) : device_(on), room_(room) {}

  /// Room for n elements; empty where the GPU has none left.
  std::span<T> room_for(std::size_t n) {
    if (blocks_.empty() || blocks_.back()->size() - used_ < n) {
      const std::int64_t bytes =
          std::min(room_, std::max(kept_block_bytes, static_cast<std::int64_t>(n * sizeof(T))));
      if (bytes < static_cast<std::int64_t>(n * sizeof(T))) return {};
      blocks_.push_back(std::make_shared<buffer<T>>(
          make_native_buffer<T>(device_, static_cast<std::size_t>(bytes) / sizeof(T))));
      room_ -= bytes;
      used_ = 0;
    }
    return blocks_.back()->span().subspan(used_, n);
  }
  /// The first n elements of the room given last are kept; where they begin in the last block.
  std::size_t keep(std::size_t n) { return std::exchange(used_, used_ + n); }
  /// The last block.
  [[nodiscard]] int last() const { return static_cast<int>(blocks_.size()) - 1; }
  [[nodiscard]] std::vector<std::shared_ptr<const buffer<T>>> take() {
    return {blocks_.begin(), blocks_.end()};
  }

 private:
  const device device_;
  std::int64_t room_;
  std::size_t used_ = 0;
  std::vector<std::shared_ptr<buffer<T>>> blocks_;
};

}  // namespace gossamer::filter_detail
