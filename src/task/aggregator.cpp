// Why and how parcels leave an aggregator.
#include "gossamer/task/aggregator.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

// In words of eight bytes, as messages come.
std::size_t capacity_of(const aggregator_options& options) {
  return static_cast<std::size_t>(options.parcels.bytes) / 8 * 8;
}

}  // namespace

void aggregator::check(const aggregator_options& options) {
  require(options.parcels.bytes >= static_cast<std::int64_t>(largest_message),
          "aggregator: parcels need " + std::to_string(largest_message) + " bytes at least");
  require(options.age >= 0, "aggregator: an age cannot be negative");
}

aggregator::aggregator(rank& r, memory_manager& manager, const aggregator_options& options)
    : rank_(&r), manager_(&manager), age_(options.age) {
  buffers_.resize(static_cast<std::size_t>(r.size()));
  for (int to = 0; to < r.size(); ++to) {
    if (to == r.id()) continue;
    buffer& b = buffers_[static_cast<std::size_t>(to)];
    b.memory = r.scratch<std::byte>(header + capacity_of(options));
    b.limit = b.memory.size();
  }
}

std::int64_t aggregator::bytes(int ranks, const aggregator_options& options) {
  const std::size_t one = (header + capacity_of(options) + 255) / 256 * 256;
  return static_cast<std::int64_t>(one) * (ranks - 1);
}

bool aggregator::make_room(int to, std::size_t bytes) {
  flush(to, &aggregator_counters::full);
  const buffer& b = buffers_[static_cast<std::size_t>(to)];
  return b.used + bytes <= b.limit;
}

bool aggregator::flush(int to, std::int64_t aggregator_counters::*why) {
  buffer& b = buffers_[static_cast<std::size_t>(to)];
  if (b.used == header || !manager_->room(to)) return false;
  const std::size_t bytes = b.used - header;
  manager_->send(to, b.memory.first(b.used));
  ++(counters_.*why);
  counters_.bytes += static_cast<std::int64_t>(bytes);
  ++counters_.sizes[std::min<std::size_t>(std::bit_width(bytes) - 1, counters_.sizes.size() - 1)];
  b.used = header;
  if (!b.outside.empty()) refill(b);
  return true;
}

void aggregator::append_always(int to, std::span<const std::byte> message) {
  if (std::byte* at = append(to, message.size())) {
    std::memcpy(at, message.data(), message.size());
    return;
  }
  buffer& b = buffers_[static_cast<std::size_t>(to)];
  b.outside.insert(b.outside.end(), message.begin(), message.end());
  b.limit = header;  // what comes later must not overtake it
  ++counters_.messages;
}

/// Whole messages from outside, as many as fit.
void aggregator::refill(buffer& b) {
  std::size_t end = b.outside_first;
  while (end < b.outside.size()) {
    message_header next;
    std::memcpy(&next, b.outside.data() + end, sizeof next);
    if (header + (end - b.outside_first) + next.bytes > b.memory.size()) break;
    end += next.bytes;
  }
  const std::size_t bytes = end - b.outside_first;
  std::memcpy(b.memory.data() + header, b.outside.data() + b.outside_first, bytes);
  b.used = header + bytes;
  b.since = rank_->clock();
  b.outside_first = end;
  if (end < b.outside.size()) return;
  b.outside.clear();
  b.outside_first = 0;
  b.limit = b.memory.size();
}

void aggregator::flush_aged() {
  double now = -1;
  for (int to = 0; to < static_cast<int>(buffers_.size()); ++to) {
    const buffer& b = buffers_[static_cast<std::size_t>(to)];
    if (b.used == header) continue;
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
                     [](const buffer& b) { return b.used == header && b.outside.empty(); });
}

}  // namespace gossamer
