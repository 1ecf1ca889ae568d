// Memory of results on one GPU: blocks of one size that searches of any algorithm share.
//
// A result holds its block until it is dropped. Then the next search on that GPU whose values take
// as many bytes has it, whatever it searches for. Blocks are given back to the GPU when the last
// search that shares them is gone. Ranks that share a GPU do not share blocks: each has those of
// its run before the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algorithm/driver/lending_pool.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::algorithm_detail {

/// Bytes of a block of `values` values, `width` bytes each: as many as a placement has ids.
constexpr std::int64_t result_bytes(std::int64_t values, std::int64_t width) {
  return (values + 63) / 64 * 64 * width;
}

class result_blocks {
 public:
  using memory = buffer<std::byte>;
  using block = std::unique_ptr<memory>;

  result_blocks() = default;
  /// Of rank `rank`, on `on`: takes what is missing of `at_once` blocks (2 at most) for one run.
  result_blocks(const device& on, int rank, std::int64_t values, std::int64_t width,
                std::size_t at_once = 1);

  [[nodiscard]] block take() const { return pool_->take(); }
  /// Shared ownership of `b` that ends in the pool.
  [[nodiscard]] std::shared_ptr<memory> lend(block b) const { return pool_->lend(std::move(b)); }

  using pool = lending_pool<memory>;

 private:
  std::shared_ptr<pool> pool_;
};

/// The values in a block.
template <class T>
T* values_in(const result_blocks::block& b) {
  return reinterpret_cast<T*>(b->data());
}

}  // namespace gossamer::algorithm_detail
