// allocate, release, copy and fill for memory of any kind.
#include "gossamer/machine/memory.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/machine/executor.hpp"
#include "machine/cuda_backend.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// More than any host has: refused here, before rounding up could overflow.
constexpr std::size_t most_bytes = std::size_t{1} << 47;

void* allocate_host(std::size_t bytes) {
  // Random access to large arrays is bound by address translation: huge pages cut the misses, and
  // alignment to one lets the kernel use them from the first byte on.
  const bool large = bytes >= 4 * huge_page;
  const std::size_t alignment = large ? huge_page : page;
  void* data = nullptr;
  if (bytes < most_bytes)
    data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (data == nullptr)
    throw capacity_error("host memory: wanted " +
                         (bytes < most_bytes
                              ? configuration::format_bytes(static_cast<std::int64_t>(bytes))
                              : "more than " + configuration::format_bytes(most_bytes)) +
                         ", available " + configuration::format_bytes(host_memory_limit().bytes));
  if (large) madvise(data, bytes, MADV_HUGEPAGE);  // advice: its failure changes speed only
  return data;
}

// The answer never changes within a process, so that release agrees with allocate.
bool pinned_is_plain() {
  return cuda_backend::devices().devices.empty();
}

}  // namespace

namespace {

/// Sizes of what was allocated, which release() is not told. A lock an allocation is nothing beside
/// its pages, and no run makes any.
class taken_blocks {
 public:
  struct block {
    int account = 0;
    std::size_t bytes = 0;
    std::size_t on_host = 0;  ///< more, of a spread block
  };
  static void add(void* data, block b) {
    const std::lock_guard guard(all().lock);
    all().blocks[data] = b;
    count_taken(b.account, b.bytes);
    count_taken(host_account, b.on_host);
  }
  static void remove(void* data) noexcept {
    const std::lock_guard guard(all().lock);
    const auto found = all().blocks.find(data);
    if (found == all().blocks.end()) return;
    count_given_back(found->second.account, found->second.bytes);
    count_given_back(host_account, found->second.on_host);
    all().blocks.erase(found);
  }

 private:
  struct table {
    std::mutex lock;
    std::unordered_map<void*, block> blocks;
  };
  // Never destroyed: buffers of static machines are released after main.
  static table& all() {
    static auto* made = [] {
      // fork() waits for the lock, which is held for moments.
      ::pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                       [] { all().lock.unlock(); });
      return new table;
    }();
    return *made;
  }
};

void* allocate_any(memory_kind kind, int ordinal, std::size_t bytes) {
  switch (kind) {
    case memory_kind::host:
      break;
    case memory_kind::pinned:
      if (pinned_is_plain()) break;
      {
        const driver_pause pause;
        return cuda_backend::allocate_pinned(ordinal, bytes);
      }
    case memory_kind::device: {
      const driver_pause pause;
      return cuda_backend::allocate_device(ordinal, bytes);
    }
    case memory_kind::spread:
      throw usage_error("spread memory comes from allocate_spread()");
  }
  return allocate_host(bytes);
}

// What when_clear calls. A block counts as taken until the driver has it back.
void return_device(int ordinal, void* data) noexcept {
  taken_blocks::remove(data);
  cuda_backend::release_device(ordinal, data);
}

void return_spread(int ordinal, void* data) noexcept {
  taken_blocks::remove(data);
  cuda_backend::release_spread(ordinal, data);
}

void return_pinned(int, void* data) noexcept {
  taken_blocks::remove(data);
  cuda_backend::release_pinned(data);
}

}  // namespace

namespace {

std::atomic<memory_giver> giver_of_memory = nullptr;

}  // namespace

void set_memory_giver(memory_giver giver) noexcept {
  giver_of_memory = giver;
}

namespace {

/// What `take` gives, after another try if the giver had something of this memory.
template <class Take>
void* taken_with_help(int account, const Take& take) {
  try {
    return take();
  } catch (const capacity_error&) {
    const memory_giver giver = giver_of_memory;
    if (giver == nullptr || !giver(account)) throw;
    return take();
  }
}

/// Nobody has the block yet: it goes back where it cannot be noted.
void* noted(memory_kind kind, int ordinal, void* data, const taken_blocks::block& as) {
  try {
    taken_blocks::add(data, as);
  } catch (...) {
    release(kind, ordinal, data);
    throw;
  }
  return data;
}

}  // namespace

void* allocate(memory_kind kind, int ordinal, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const int account = kind == memory_kind::device ? ordinal : host_account;
  void* data = taken_with_help(account, [&] { return allocate_any(kind, ordinal, bytes); });
  return noted(kind, ordinal, data, {account, bytes});
}

spread_pages last_pages(std::size_t bytes, std::int64_t on_device) {
  const std::size_t pages = (bytes + spread_pages::bytes - 1) / spread_pages::bytes;
  spread_pages where{std::vector<bool>(pages)};
  for (std::size_t p = 0; p < pages; ++p)
    where.on_device[p] = static_cast<std::int64_t>(pages - p) <= on_device;
  return where;
}

void* allocate_spread(int ordinal, const spread_pages& pages) {
  if (pages.on_device.empty()) return nullptr;
  void* data = taken_with_help(ordinal, [&] {
    const driver_pause pause;
    return cuda_backend::allocate_spread(ordinal, pages);
  });
  const auto there =
      static_cast<std::size_t>(std::count(pages.on_device.begin(), pages.on_device.end(), true));
  return noted(memory_kind::spread, ordinal, data,
               {ordinal, there * spread_pages::bytes,
                (pages.on_device.size() - there) * spread_pages::bytes});
}

void copy_to_spread(void* block, const spread_pages& pages, const void* from, std::size_t bytes) {
  const auto& there = pages.on_device;
  for (std::size_t first = 0, last = 0; first * spread_pages::bytes < bytes; first = last) {
    while (last < there.size() && there[last] == there[first]) ++last;
    const std::size_t begin = first * spread_pages::bytes;
    const std::size_t n = std::min(last * spread_pages::bytes, bytes) - begin;
    std::byte* to = static_cast<std::byte*>(block) + begin;
    const std::byte* source = static_cast<const std::byte*>(from) + begin;
    if (there[first]) {
      copy_bytes(to, source, n);
    } else {
      for_pieces({host().cores}, static_cast<std::int64_t>(n), std::int64_t{1} << 24,
                 [&](std::int64_t at, std::int64_t end) {
                   std::memcpy(to + at, source + at, static_cast<std::size_t>(end - at));
                 });
    }
  }
}

void release(memory_kind kind, int ordinal, void* data) noexcept {
  if (data == nullptr) return;
  if (kind == memory_kind::device) return when_clear(return_device, ordinal, data);
  if (kind == memory_kind::spread) return when_clear(return_spread, ordinal, data);
  if (kind == memory_kind::pinned && !pinned_is_plain())
    return when_clear(return_pinned, ordinal, data);
  taken_blocks::remove(data);
  std::free(data);
}

int gpu_of(const void* data) {
  return cuda_backend::devices().devices.empty() ? -1 : cuda_backend::home_of(data);
}

bool on_gpu(const void* data) {
  return gpu_of(data) >= 0;
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (cuda_backend::devices().devices.empty()) {
    std::memmove(to, from, bytes);
    return;
  }
  cuda_backend::copy(to, from, bytes);
}

void copy_bytes(void* to, const void* from, std::size_t bytes, const stream& on, copier by) {
  if (bytes == 0) return;
  if (!on.is_cuda()) {
    std::memmove(to, from, bytes);
    return;
  }
  cuda_backend::copy_in_order(to, from, bytes, on.native(), on.ordinal(), on.own_engines(), by);
}

void fill_bytes(memory_kind kind, int ordinal, void* data, int value, std::size_t bytes) {
  if (bytes == 0) return;
  if (kind == memory_kind::device) return cuda_backend::fill_device(ordinal, data, value, bytes);
  std::memset(data, value, bytes);
}

}  // namespace gossamer
