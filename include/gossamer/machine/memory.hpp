// Memory of a device as data: where it lives, who may address it, and an owning buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/device.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer {

/// Where memory lives. `pinned` is host memory that every CUDA device of the process can address
/// at the same pointer; plain host memory on a machine without CUDA. `spread` is one range of
/// addresses for the kernels of one GPU, whose pages lie there or in pinned host memory.
enum class memory_kind : std::uint8_t { host, pinned, device, spread };

/// Raw allocation; throws capacity_error naming device, bytes and what was free. `bytes` = 0 gives
/// nullptr. Alignment is at least 256. For `device`, `ordinal` is the CUDA ordinal; for `pinned` it
/// is the GPU whose context makes the memory (-1: the calling thread's), for `host` it is ignored.
/// For `spread` there is allocate_spread().
void* allocate(memory_kind kind, int ordinal, std::size_t bytes);
void release(memory_kind kind, int ordinal, void* data) noexcept;

/// Which pages of a spread block lie in the GPU's memory; the others are the host's.
struct spread_pages {
  static constexpr std::size_t bytes = std::size_t{2} << 20;  ///< of a page
  std::vector<bool> on_device;
};
/// Of a block of so many bytes the last `on_device` pages there.
spread_pages last_pages(std::size_t bytes, std::int64_t on_device);
/// As allocate(). foreign_error where the driver has no such memory.
void* allocate_spread(int ordinal, const spread_pages& pages);
/// Copies host memory to the beginning of such a block, as copy_bytes() cannot. Synchronous.
void copy_to_spread(void* block, const spread_pages& pages, const void* from, std::size_t bytes);
/// Asked when a GPU's memory, or the host's, does not suffice (`account` as in memory_use.hpp).
/// True when something was given back, so that another try is worth it. One function, set once.
using memory_giver = bool (*)(int account) noexcept;
void set_memory_giver(memory_giver giver) noexcept;
/// Whether `data` lies in the memory of a GPU of this process, where the CPU cannot read it.
bool on_gpu(const void* data);
/// Which GPU's; -1: none of this process.
int gpu_of(const void* data);
/// Synchronous copy between any two kinds (unified addressing finds the direction). Ordered after
/// nothing that runs in other streams.
void copy_bytes(void* to, const void* from, std::size_t bytes);
/// Who does a copy in a GPU's stream. `automatic`: the GPU's own copy engine for long copies whose
/// other side no other stream waits at, else a kernel. Pageable memory is always copied by the
/// engine, after the calling thread has waited for the stream. `engine` suits streams that nothing
/// waits in, also while kernels fill the GPU. `kernel` cannot address pageable memory.
enum class copier : std::uint8_t { automatic, engine, kernel };
/// Queues a copy in `on`; done at once where that is a CPU's. Device memory must be that of the
/// stream's GPU, or of one whose memory its kernels address.
void copy_bytes(void* to, const void* from, std::size_t bytes, const stream& on,
                copier by = copier::automatic);
/// Synchronous fill of memory of any kind.
void fill_bytes(memory_kind kind, int ordinal, void* data, int value, std::size_t bytes);

/// n * size, or the largest value when that overflows, which no allocation survives.
constexpr std::size_t bytes_for(std::size_t n, std::size_t size) noexcept {
  return n > static_cast<std::size_t>(-1) / size ? static_cast<std::size_t>(-1) : n * size;
}

/// Owning block of T on a device or the host. Moves, never copies.
template <class T>
class buffer {
 public:
  buffer() = default;
  buffer(memory_kind kind, int ordinal, std::size_t n)
      : data_(static_cast<T*>(allocate(kind, ordinal, bytes_for(n, sizeof(T))))),
        size_(n),
        kind_(kind),
        ordinal_(ordinal) {}
  buffer(int ordinal, const spread_pages& pages, std::size_t n)
      : data_(static_cast<T*>(allocate_spread(ordinal, pages))),
        size_(n),
        kind_(memory_kind::spread),
        ordinal_(ordinal) {}
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~buffer() { release(kind_, ordinal_, data_); }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data_, size_}; }
  [[nodiscard]] memory_kind kind() const noexcept { return kind_; }
  [[nodiscard]] int ordinal() const noexcept { return ordinal_; }

 private:
  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(kind_, other.kind_);
    std::swap(ordinal_, other.ordinal_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  memory_kind kind_ = memory_kind::host;
  int ordinal_ = -1;
};

/// The memory a rank computes on: device memory of its GPU, or host memory.
inline memory_kind native_memory(const device& d) noexcept {
  return d.is_cuda() ? memory_kind::device : memory_kind::host;
}
template <class T>
buffer<T> make_native_buffer(const device& d, std::size_t n) {
  return buffer<T>(native_memory(d), d.ordinal, n);
}

}  // namespace gossamer
