// parcel_ring: parcels from one thread to another, in order. One writes, one reads; no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gossamer/base/atomics.hpp"

namespace gossamer {

class parcel_ring {
 public:
  /// `places` parcels of up to `bytes` bytes.
  parcel_ring(std::size_t places, std::size_t bytes)
      : places_(places), stride_((bytes + 63) / 64 * 64), lengths_(places), from_(places) {
    memory_.resize(places * stride_);
  }

  // The writer's.
  [[nodiscard]] bool room() const noexcept {
    return written_ - std_atomics::load_acquire(read_) < places_;
  }
  /// room() must hold. `from` is handed through.
  void push(std::span<const std::byte> parcel, int from = 0) {
    const std::size_t at = written_ % places_;
    std::memcpy(memory_.data() + at * stride_, parcel.data(), parcel.size());
    lengths_[at] = parcel.size();
    from_[at] = from;
    std_atomics::store_release(written_, written_ + 1);
  }
  /// Parcels that the reader is done with.
  [[nodiscard]] std::uint64_t done() const noexcept { return std_atomics::load_acquire(read_); }

  // The reader's.
  [[nodiscard]] bool empty() const noexcept { return std_atomics::load_acquire(written_) == read_; }
  /// The oldest parcel, until pop().
  [[nodiscard]] std::span<std::byte> front() noexcept {
    return {memory_.data() + read_ % places_ * stride_, lengths_[read_ % places_]};
  }
  [[nodiscard]] int from() const noexcept { return from_[read_ % places_]; }
  void pop() noexcept { std_atomics::store_release(read_, read_ + 1); }

 private:
  std::size_t places_, stride_;
  std::vector<std::byte> memory_;
  std::vector<std::size_t> lengths_;
  std::vector<int> from_;
  alignas(64) std::uint64_t written_ = 0;
  alignas(64) std::uint64_t read_ = 0;
};

}  // namespace gossamer
