// Two GPUs (or GOSSAMER_TEST_GPUS) that are not there: the functions of cuda_backend.hpp and
// gpu_operations.hpp with threads for streams. A program that links this file takes it instead of
// the library's own, and can run whatever the host does around a GPU (transports, carriers) where
// there is none. No kernel of a program runs on it.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "fabric/gpu_operations.hpp"
#include "fabric/word_operations.hpp"
#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer {

namespace {

fake_gpu::queue& queue_of(void* stream) {
  return *static_cast<fake_gpu::queue*>(stream);
}
fake_gpu::moment& moment_of(void* event) {
  return *static_cast<fake_gpu::moment*>(event);
}

std::uint64_t* word_at(void* address) {
  return static_cast<std::uint64_t*>(fake_gpu::reach(address));
}

void move(void* to, const void* from, std::size_t bytes) {
  std::memmove(fake_gpu::reach(to), fake_gpu::reach(from), bytes);
}

}  // namespace

namespace cuda_backend {

bool compiled() noexcept {
  return true;
}
const inventory& devices() {
  static const inventory all = [] {
    inventory found;
    const char* wanted = std::getenv("GOSSAMER_TEST_GPUS");
    const int gpus = wanted != nullptr ? std::atoi(wanted) : 2;
    for (int ordinal = 0; ordinal < gpus; ++ordinal) {
      device d;
      d.kind = device_kind::cuda;
      d.ordinal = ordinal;
      d.name = "a GPU that is not there";
      d.memory = std::int64_t{1} << 30;
      d.units = 2;
      d.pci = "fake:" + std::to_string(ordinal);
      found.devices.push_back(d);
    }
    return found;
  }();
  return all;
}
/// With GOSSAMER_TEST_PEERS=on they address each other's memory, for what only plans.
pair_capability pair(int, int) {
  const char* peers = std::getenv("GOSSAMER_TEST_PEERS");
  if (peers == nullptr || std::string_view(peers) != "on") return {};
  return {reach::nvlink, true, 1e11};
}
double host_bandwidth(int) {
  return 0;
}
void enable_peer(int, int) {}
bool kernels_run_together(int, int) {
  return false;
}
void adopt(int) {}

void* allocate_device(int ordinal, std::size_t bytes) {
  return fake_gpu::allocate(ordinal, bytes);
}
void* allocate_pinned(int, std::size_t bytes) {
  return std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}
void release_device(int, void* data) noexcept {
  fake_gpu::release(data);
}
void* allocate_spread(int ordinal, const spread_pages& pages) {
  return fake_gpu::allocate(ordinal, pages.on_device.size() * spread_pages::bytes);
}
void release_spread(int, void* data) noexcept {
  fake_gpu::release(data);
}
void release_pinned(void* data) noexcept {
  std::free(data);
}
void pin(int, void* data, std::size_t) {
  if (data == nullptr) throw std::logic_error("nothing to pin");
}
void unpin(void*) noexcept {}
int home_of(const void* data) {
  return fake_gpu::owner_of(data);
}
void copy(void* to, const void* from, std::size_t bytes) {
  move(to, from, bytes);
}
void read_pieces(const void* from, std::size_t bytes, const piece_reader& read) {
  read(0, static_cast<const std::byte*>(fake_gpu::reach(from)), bytes);
}
void write_pieces(void* to, std::size_t bytes, const piece_writer& write) {
  write(0, static_cast<std::byte*>(fake_gpu::reach(to)), bytes);
}
void prepare_pieces(int) {}
void load_kernels(int) {}
void copy_in_order(void* to, const void* from, std::size_t bytes, void* stream, int, bool, copier) {
  queue_of(stream).push([=] { move(to, from, bytes); });
}
void fill_device(int, void* data, int value, std::size_t bytes) {
  std::memset(fake_gpu::reach(data), value, bytes);
}

void* create_stream(int, bool) {
  return new fake_gpu::queue;
}
void destroy_stream(void* stream) noexcept {
  delete static_cast<fake_gpu::queue*>(stream);
}
bool stream_idle(void* stream) {
  return queue_of(stream).idle();
}
void* create_event(int) {
  return new fake_gpu::moment;
}
void destroy_event(void* event) noexcept {
  delete static_cast<fake_gpu::moment*>(event);
}
void record_event(void* event, void* stream) {
  auto when = std::make_shared<std::atomic<std::int64_t>>(0);
  queue_of(stream).push([when] { when->store(fake_gpu::timer()); });
  moment_of(event) = {queue_of(stream).done(), queue_of(stream).queued(), when};
}
bool event_done(void* event) {
  return moment_of(event).reached();
}
void block_stream(void* stream, void* event) {
  const fake_gpu::moment until = moment_of(event);
  queue_of(stream).push([until] {
    while (!until.reached()) std::this_thread::yield();
  });
}
double milliseconds_between(void* earlier, void* later) {
  const auto& from = moment_of(earlier);
  const auto& to = moment_of(later);
  if (!from.when || !to.when || !from.reached() || !to.reached())
    throw std::logic_error("a moment that was not reached has no time");
  return 1e-6 * static_cast<double>(to.when->load() - from.when->load());
}

}  // namespace cuda_backend

namespace gpu {

void prepare() {}
void fill(void* data, int value, std::size_t bytes, const stream& on) {
  queue_of(on.native()).push([=] { std::memset(fake_gpu::reach(data), value, bytes); });
}
void raise(std::uint64_t* counter, std::uint64_t value, bool add, const stream& on) {
  queue_of(on.native()).push([=] {
    raise_word(*word_at(counter), value, add ? signal_op::add : signal_op::set);
  });
}
void raise_by_driver(std::uint64_t* counter, std::uint64_t value, const stream& on) {
  raise(counter, value, false, on);
}
void raise_by_host(host_raise& what, const stream& on) {
  std_atomics::store_relaxed(what.busy, 1u);
  queue_of(on.native()).push([&what] {
    std_atomics::fetch_add(*what.counter, what.value);
    if (what.sleeper != nullptr) what.sleeper->wake();
    std_atomics::store_release(what.busy, 0u);
  });
}
void wait(const device_guard&, const std::uint64_t*, std::uint64_t, int, std::uint32_t,
          std::uint64_t, const stream&) {
  throw std::logic_error("a stream of a GPU that is not there cannot wait for a signal");
}
void atomic(void* word, int width, bool add, std::uint64_t a, std::uint64_t b,
            std::uint64_t* result, const stream& on) {
  queue_of(on.native()).push([=] {
    auto* at = static_cast<std::byte*>(fake_gpu::reach(word));
    *result = atomic_word(at, width, add, a, b);
  });
}
void read_timer(std::uint64_t* now, const stream& on) {
  queue_of(on.native()).push([=] { *now = static_cast<std::uint64_t>(fake_gpu::timer()); });
}

}  // namespace gpu

}  // namespace gossamer
