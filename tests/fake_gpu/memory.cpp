// Keeps the double mappings in a table by address, so that any address inside a block finds the
// other mapping.
#include "fake_gpu/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace gossamer::fake_gpu {

namespace {

struct block {
  std::size_t bytes;
  int ordinal;
  std::byte* inside;  ///< the second mapping
};

std::mutex guard;
std::map<std::uintptr_t, block>& blocks() {
  static auto* all = new std::map<std::uintptr_t, block>;
  return *all;
}

/// The block around `data`; end() for host memory. With `guard` held.
auto find(const void* data) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  auto next = blocks().upper_bound(at);
  if (next == blocks().begin()) return blocks().end();
  --next;
  return at < next->first + next->second.bytes ? next : blocks().end();
}

}  // namespace

void* allocate(int ordinal, std::size_t bytes) {
  const int memory = memfd_create("fake-gpu", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
  const int rights = std::getenv("GOSSAMER_TEST_OPEN_GPU") ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* seen = mmap(nullptr, bytes, rights, MAP_SHARED, memory, 0);
  void* inside = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  close(memory);
  if (seen == MAP_FAILED || inside == MAP_FAILED) throw std::bad_alloc();
  const std::lock_guard lock(guard);
  blocks()[reinterpret_cast<std::uintptr_t>(seen)] = {bytes, ordinal,
                                                      static_cast<std::byte*>(inside)};
  return seen;
}

void release(void* data) noexcept {
  const std::lock_guard lock(guard);
  const auto found = blocks().find(reinterpret_cast<std::uintptr_t>(data));
  if (found == blocks().end()) return;
  munmap(found->second.inside, found->second.bytes);
  munmap(data, found->second.bytes);
  blocks().erase(found);
}

std::size_t held() {
  const std::lock_guard lock(guard);
  std::size_t sum = 0;
  for (const auto& [at, b] : blocks()) sum += b.bytes;
  return sum;
}

int owner_of(const void* data) {
  const std::lock_guard lock(guard);
  const auto found = find(data);
  return found == blocks().end() ? -1 : found->second.ordinal;
}

void* reach(const void* data) {
  const std::lock_guard lock(guard);
  const auto found = find(data);
  if (found == blocks().end()) return const_cast<void*>(data);
  return found->second.inside + (reinterpret_cast<std::uintptr_t>(data) - found->first);
}

}  // namespace gossamer::fake_gpu
