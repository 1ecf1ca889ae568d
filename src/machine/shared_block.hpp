// shared_block: memory that processes of one host map together, without a name in any file system.
//
// Made with memfd_create and opened by others as /proc/PID/fd/N: nothing is left behind when a
// process is killed, and the size of /dev/shm is no limit. Whether another process can be reached
// so (same host, same container, same user) is found out by trying. Private to the library.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace gossamer {

class shared_block {
 public:
  /// What another process needs to map the block; sent to it as bytes.
  struct address {
    std::int64_t process = 0;  ///< its pid
    std::int64_t descriptor = -1;
    std::uint64_t bytes = 0;
    friend bool operator==(const address&, const address&) = default;
  };

  shared_block() = default;
  /// Makes a block of zeros; throws capacity_error.
  explicit shared_block(std::size_t bytes);
  /// Maps a block of another process; `data()` is null when that is not possible.
  explicit shared_block(const address& of);
  shared_block(shared_block&& other) noexcept { swap(other); }
  shared_block& operator=(shared_block&& other) noexcept {
    swap(other);
    return *this;
  }
  ~shared_block();

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return where_.bytes; }
  [[nodiscard]] const address& where() const noexcept { return where_; }

 private:
  void swap(shared_block& other) noexcept;
  std::byte* data_ = nullptr;
  address where_;
  bool owner_ = false;
};

}  // namespace gossamer
