// A list with room for one more, always: an entry can be written before it is known whether it is
// to stay, and nothing branches on that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "algorithm/sssp/sync/counted_vector.hpp"

namespace gossamer::algorithm_detail {

/// Of plain values; what it holds beyond the first appears in memory_use.
template <class T>
class open_list {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  open_list() = default;
  open_list(open_list&& other) noexcept { swap(other); }
  open_list& operator=(open_list&& other) noexcept {
    open_list(std::move(other)).swap(*this);
    return *this;
  }
  open_list(const open_list&) = delete;
  open_list& operator=(const open_list&) = delete;
  ~open_list() {
    if (data_ != &slot_) counted_allocator<T>().deallocate(data_, room_);
  }

  /// Appends `value`, or does nothing that anyone sees. Without memory for more room `value` is
  /// lost: whoever shares the list may go on until the error is told.
  void push_if(bool wanted, const T& value) {
    data_[size_] = value;
    size_ += static_cast<std::size_t>(wanted);
    if (size_ == room_) grow();
  }
  void push_back(const T& value) { push_if(true, value); }
  /// Keeps the room.
  void clear() noexcept { size_ = 0; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const noexcept { return room_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }

  void swap(open_list& other) noexcept {
    std::swap(slot_, other.slot_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    if (data_ == &other.slot_) data_ = &slot_;
    if (other.data_ == &slot_) other.data_ = &other.slot_;
  }
  friend void swap(open_list& a, open_list& b) noexcept { a.swap(b); }

 private:
  void grow() {
    const std::size_t room = room_ < 4 ? 4 : 2 * room_;
    T* larger = nullptr;
    try {
      larger = counted_allocator<T>().allocate(room);
    } catch (...) {
      --size_;
      throw;
    }
    std::copy_n(data_, size_, larger);
    if (data_ != &slot_) counted_allocator<T>().deallocate(data_, room_);
    data_ = larger;
    room_ = room;
  }

  T slot_{};  ///< all the room there is at first, so that empty lists allocate nothing
  T* data_ = &slot_;
  std::size_t size_ = 0, room_ = 1;
};

}  // namespace gossamer::algorithm_detail
