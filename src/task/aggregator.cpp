// Why and how parcels leave an aggregator.
#include "gossamer/task/aggregator.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

// Small enough to stay in the nearest cache beside what its messages touch.
constexpr std::size_t own_bytes = 4096;

// In words of eight bytes, as messages come.
std::size_t capacity_of(const aggregator_options& options) {
  return static_cast<std::size_t>(options.parcels.bytes) / 8 * 8;
}

}  // namespace

void aggregator::check(const aggregator_options& options) {
  constexpr std::size_t fewest = largest_message + sizeof(run_header);
  require(options.parcels.bytes >= static_cast<std::int64_t>(fewest),
          "aggregator: parcels need " + std::to_string(fewest) + " bytes at least");
  require(options.age >= 0, "aggregator: an age cannot be negative");
}

aggregator::aggregator(rank& r, memory_manager& manager, parcel_server& here,
                       const aggregator_options& options)
    : rank_(&r), manager_(&manager), server_(&here), age_(options.age), own_(own_bytes) {
  buffers_.resize(static_cast<std::size_t>(r.size()));
  for (int to = 0; to < r.size(); ++to) {
    buffer& b = buffers_[static_cast<std::size_t>(to)];
    const bool own = to == r.id();
    const auto memory = own ? std::span(own_) : r.scratch<std::byte>(header + capacity_of(options));
    b.begin = b.at = memory.data() + (own ? 0 : header);
    b.end = b.all = memory.data() + memory.size();
  }
  here_ = &buffers_[static_cast<std::size_t>(r.id())];
}

std::int64_t aggregator::bytes(int ranks, const aggregator_options& options) {
  const std::size_t one = (header + capacity_of(options) + 255) / 256 * 256;
  return static_cast<std::int64_t>(one) * (ranks - 1);
}

std::byte* aggregator::append_run(int to, message_shape shape) {
  buffer& b = buffers_[static_cast<std::size_t>(to)];
  const auto needs = static_cast<std::ptrdiff_t>(sizeof(run_header) + shape.bytes);
  if (b.end - b.at < needs) {
    if (&b == here_)
      serve_own();
    else
      flush(to, &aggregator_counters::full);
    if (b.end - b.at < needs) return nullptr;
  }
  return open_run(b, shape);
}

std::byte* aggregator::open_run(buffer& b, message_shape shape) {
  if (b.at == b.begin && &b != here_) b.since = rank_->clock();
  close_run(b);
  b.shape = shape;
  b.run = new (b.at) run_header{shape, 0};
  std::byte* at = b.at + sizeof(run_header);
  b.at = at + shape.bytes;
  return at;
}

/// Writes down how many messages the open run has, and counts them: before anybody else can see
/// them, as the end of a run needs it.
void aggregator::close_run(buffer& b) {
  if (b.run == nullptr) return;
  const auto bytes = static_cast<std::size_t>(b.at - reinterpret_cast<std::byte*>(b.run + 1));
  const std::size_t count = bytes / b.shape.bytes;
  b.run->count = static_cast<std::uint32_t>(count);
  b.run = nullptr;
  b.shape = {};
  (&b == here_ ? counters_.local : counters_.messages) += static_cast<std::int64_t>(count);
}

bool aggregator::flush(int to, std::int64_t aggregator_counters::*why) {
  buffer& b = buffers_[static_cast<std::size_t>(to)];
  if (&b == here_ || b.at == b.begin || !manager_->room(to)) return false;
  close_run(b);
  const auto bytes = static_cast<std::size_t>(b.at - b.begin);
  manager_->charge(bytes, 0);
  manager_->send(to, {b.begin - header, header + bytes});
  ++(counters_.*why);
  counters_.bytes += static_cast<std::int64_t>(bytes);
  ++counters_.sizes[std::min<std::size_t>(std::bit_width(bytes) - 1, counters_.sizes.size() - 1)];
  b.at = b.begin;
  if (!b.outside.empty()) refill(b);
  return true;
}

void aggregator::serve_own() {
  buffer& b = *here_;
  close_run(b);
  const std::span<const std::byte> runs{b.begin, static_cast<std::size_t>(b.at - b.begin)};
  server_->serve(rank_->id(), runs);
  b.at = b.begin;
}

void aggregator::append_always(int to, message_shape shape, std::span<const std::byte> message) {
  if (std::byte* at = append(to, shape)) {
    std::memcpy(at, message.data(), message.size());
    return;
  }
  buffer& b = buffers_[static_cast<std::size_t>(to)];
  close_run(b);
  ++counters_.messages;
  const run_header alone{shape, 1};
  const auto first = std::as_bytes(std::span(&alone, 1));
  b.outside.insert(b.outside.end(), first.begin(), first.end());
  b.outside.insert(b.outside.end(), message.begin(), message.end());
  b.end = b.begin;  // what comes later must not overtake it
}

/// Whole runs from outside, as many as fit.
void aggregator::refill(buffer& b) {
  const std::byte* const first = b.outside.data() + b.outside_first;
  const std::byte* const last = b.outside.data() + b.outside.size();
  const std::byte* end = first;
  while (end < last) {
    const std::byte* next = message_run(end).end();
    if (next - first > b.all - b.begin) break;
    end = next;
  }
  const auto bytes = static_cast<std::size_t>(end - first);
  std::memcpy(b.begin, first, bytes);
  b.at = b.begin + bytes;
  b.since = rank_->clock();
  b.outside_first += bytes;
  if (end < last) return;
  b.outside.clear();
  b.outside_first = 0;
  b.end = b.all;
}

void aggregator::flush_aged() {
  double now = -1;
  for (int to = 0; to < static_cast<int>(buffers_.size()); ++to) {
    const buffer& b = buffers_[static_cast<std::size_t>(to)];
    if (b.at == b.begin || &b == here_) continue;
    if (now < 0) now = rank_->clock();
    if (now - b.since >= age_) flush(to, &aggregator_counters::aged);
  }
}

void aggregator::flush_idle() {
  const int ranks = static_cast<int>(buffers_.size());
  // From the next rank on, so that not all begin with the same one.
  for (int step = 1; step < ranks; ++step)
    while (flush((rank_->id() + step) % ranks, &aggregator_counters::idle)) {
    }
}

bool aggregator::empty() const {
  return std::all_of(buffers_.begin(), buffers_.end(),
                     [](const buffer& b) { return b.at == b.begin && b.outside.empty(); });
}

}  // namespace gossamer
