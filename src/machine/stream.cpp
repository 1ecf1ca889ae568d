// stream, event and event_pool over the CUDA backend; on a CPU they are moments of the host clock.
#include "gossamer/machine/stream.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"
#include "machine/cuda_backend.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

stream::stream(const device& d, priority p)
    : ordinal_(d.is_cuda() ? d.ordinal : -1), own_engines_(d.own_engines) {
  if (!is_cuda()) return;
  const driver_pause pause;
  native_ = cuda_backend::create_stream(ordinal_, p == priority::high);
}

stream::stream(stream&& other) noexcept
    : native_(std::exchange(other.native_, nullptr)),
      ordinal_(std::exchange(other.ordinal_, -1)),
      own_engines_(other.own_engines_) {}

stream& stream::operator=(stream&& other) noexcept {
  std::swap(native_, other.native_);
  std::swap(ordinal_, other.ordinal_);
  std::swap(own_engines_, other.own_engines_);
  return *this;
}

stream::~stream() {
  if (native_ != nullptr) cuda_backend::destroy_stream(native_);
}

bool stream::idle() const {
  return native_ == nullptr || cuda_backend::stream_idle(native_);
}

event::event(int ordinal) : ordinal_(ordinal < 0 ? -1 : ordinal) {
  if (ordinal_ < 0) return;
  const driver_pause pause;
  native_ = cuda_backend::create_event(ordinal_);
}

event::event(event&& other) noexcept
    : native_(std::exchange(other.native_, nullptr)),
      ordinal_(std::exchange(other.ordinal_, -1)),
      when_(std::exchange(other.when_, {})) {}

event& event::operator=(event&& other) noexcept {
  std::swap(native_, other.native_);
  std::swap(ordinal_, other.ordinal_);
  std::swap(when_, other.when_);
  return *this;
}

event::~event() {
  if (native_ != nullptr) cuda_backend::destroy_event(native_);
}

namespace {
std::string device_text(int ordinal) {
  return ordinal < 0 ? "the CPU" : "cuda:" + std::to_string(ordinal);
}
}  // namespace

void event::record(const stream& s) {
  if (s.ordinal() != ordinal_)
    throw usage_error("event of " + device_text(ordinal_) + " recorded in a stream of " +
                      device_text(s.ordinal()));
  if (native_ != nullptr)
    cuda_backend::record_event(native_, s.native());
  else
    when_ = steady::now();
}

bool event::done() const {
  return native_ == nullptr || cuda_backend::event_done(native_);
}

void event::block(const stream& s) const {
  if (native_ == nullptr) return;
  if (s.native() != nullptr) return cuda_backend::block_stream(s.native(), native_);
  const auto deadline = configuration::default_deadline();
  const auto start = steady::now();
  for (backoff pause; !done();)
    if (pause.pause() && steady::now() - start > deadline)
      throw rank_error("event of " + device_text(ordinal_) + " not reached within " +
                           std::to_string(deadline.count() / 1'000'000) + " ms",
                       -1, -1, true);
}

double event::milliseconds_since(const event& earlier) const {
  if (earlier.ordinal_ != ordinal_)
    throw usage_error("milliseconds between events of " + device_text(earlier.ordinal_) + " and " +
                      device_text(ordinal_));
  if (native_ != nullptr) return cuda_backend::milliseconds_between(earlier.native_, native_);
  return std::chrono::duration<double, std::milli>(when_ - earlier.when_).count();
}

struct event_pool::shelf {
  std::mutex mutex;
  std::vector<event> free;
  int ordinal = -1;
};

event_pool::event_pool(const device& d, std::size_t reserve) : shelf_(std::make_shared<shelf>()) {
  shelf_->ordinal = d.is_cuda() ? d.ordinal : -1;
  shelf_->free.reserve(reserve);
  for (std::size_t i = 0; i < reserve; ++i) shelf_->free.emplace_back(shelf_->ordinal);
}

event event_pool::take() {
  {
    const std::lock_guard lock(shelf_->mutex);
    if (!shelf_->free.empty()) {
      event e = std::move(shelf_->free.back());
      shelf_->free.pop_back();
      return e;
    }
  }
  return event(shelf_->ordinal);
}

void event_pool::give(event e) {
  if (e.ordinal() != shelf_->ordinal)
    throw usage_error("event of " + device_text(e.ordinal()) + " given to a pool of " +
                      device_text(shelf_->ordinal));
  const std::lock_guard lock(shelf_->mutex);
  shelf_->free.push_back(std::move(e));
}

std::size_t event_pool::available() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->free.size();
}

int event_pool::ordinal() const noexcept {
  return shelf_->ordinal;
}

}  // namespace gossamer
