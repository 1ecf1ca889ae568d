// The slow path of the frame pool: slabs, and frames that are too large for it.
#include "gossamer/task/frame_pool.hpp"

#include "base/thread_owned.hpp"

namespace gossamer {

namespace {

// A free frame holds the link to the next one; the rest of it must not be touched.
constexpr std::size_t link_bytes = sizeof(void*);

}  // namespace

frame_pool& frame_pool::mine() {
  return thread_owned<frame_pool>::mine();
}

void* frame_pool::take_slowly(std::size_t which, std::size_t bytes) {
  if (which >= free_.size()) {
    void* at = ::operator new(bytes);
    ++refills_;
    count(bytes);
    return at;
  }
  const std::size_t size = which * step;
  slabs_.push_back(std::make_unique_for_overwrite<std::byte[]>(slab));
  ++refills_;
  std::byte* begin = slabs_.back().get();
  for (std::size_t i = slab / size; i-- > 0;) {
    auto* p = reinterpret_cast<piece*>(begin + i * size);
    p->next = free_[which];
    free_[which] = p;
    ASAN_POISON_MEMORY_REGION(reinterpret_cast<std::byte*>(p) + link_bytes, size - link_bytes);
  }
  return take(bytes);
}

void frame_pool::give_back(void* at, std::size_t bytes) noexcept {
  const std::size_t which = (bytes + step - 1) / step;
  --frames_;
  bytes_ -= which * step;
  if (which >= free_.size()) {
    ::operator delete(at);
    return;
  }
  auto* p = static_cast<piece*>(at);
  p->next = free_[which];
  free_[which] = p;
  ASAN_POISON_MEMORY_REGION(static_cast<std::byte*>(at) + link_bytes, which * step - link_bytes);
}

}  // namespace gossamer
