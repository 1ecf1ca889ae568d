// CUDA left out of the build: no devices, and not_compiled from everything that would need one.
#include "gossamer/base/error.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer::cuda_backend {

namespace {
[[noreturn]] void absent() {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
}  // namespace

bool compiled() noexcept {
  return false;
}

const inventory& devices() {
  static const inventory none{{}, "not compiled in"};
  return none;
}

pair_capability pair(int, int) {
  return {};
}
double host_bandwidth(int) {
  return 0;
}
void enable_peer(int, int) {
  absent();
}
bool kernels_run_together(int, int) {
  absent();
}
void adopt(int) {
  absent();
}

void* allocate_device(int, std::size_t) {
  absent();
}
void* allocate_pinned(int, std::size_t) {
  absent();
}
void release_device(int, void*) noexcept {}
void* allocate_spread(int, const spread_pages&) {
  absent();
}
void release_spread(int, void*) noexcept {}
void release_pinned(void*) noexcept {}
void pin(int, void*, std::size_t) {
  absent();
}
void unpin(void*) noexcept {}
int home_of(const void*) {
  return -1;
}
void copy(void*, const void*, std::size_t) {
  absent();
}
void read_pieces(const void*, std::size_t, const piece_reader&) {
  absent();
}
void write_pieces(void*, std::size_t, const piece_writer&) {
  absent();
}
void prepare_pieces(int) {
  absent();
}
void fill_device(int, void*, int, std::size_t) {
  absent();
}

void* create_stream(int, bool) {
  absent();
}
void destroy_stream(void*) noexcept {}
bool stream_idle(void*) {
  absent();
}

void load_kernels(int) {
  absent();
}
void copy_in_order(void*, const void*, std::size_t, void*, int, bool, copier) {
  absent();
}
void* create_event(int) {
  absent();
}
void destroy_event(void*) noexcept {}
void record_event(void*, void*) {
  absent();
}
bool event_done(void*) {
  absent();
}
void block_stream(void*, void*) {
  absent();
}
double milliseconds_between(void*, void*) {
  absent();
}

}  // namespace gossamer::cuda_backend
