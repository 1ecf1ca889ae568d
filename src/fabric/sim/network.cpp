// Transfers as events: a start, packets that cross links, an arrival.
#include "gossamer/fabric/network.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer::model {

namespace {
constexpr std::size_t usual_hops = 16;     // numbers are used again: their routes seldom grow
constexpr std::size_t most_packets = 128;  // of a transfer: bounds the events of large ones
}  // namespace

void network::push(double time, happening what, id which, std::uint32_t hop, std::size_t bytes,
                   double tail) {
  events_.push({time, ++order_, what, which, hop, bytes, tail});
}

/// As many as there are, so that a program's first rounds leave room for more at a time than they
/// had: from then on nothing is allocated.
void network::add_flights() {
  constexpr std::size_t fewest = 16;
  const std::size_t first = flights_.size(), n = first + std::max(first, fewest);
  flights_.resize(n);
  progress_.resize(n);
  free_.reserve(n);
  for (std::size_t i = n; i-- > first;) {
    progress_[i].route.reserve(usual_hops);
    free_.push_back(static_cast<id>(i));
  }
}

network::id network::inject(double time, int from, int to, const transfer_kind& kind,
                            std::size_t bytes, bool first_of_chain) {
  if (free_.empty()) add_flights();
  const id which = free_.back();
  free_.pop_back();
  auto& p = progress_[which];
  p.route.clear();
  find_route(from, to, kind, p.route);
  p.left = bytes;
  p.packets = 0;
  // Nothing takes turns within a node, where a transfer is one piece.
  p.piece = p.route.empty()
                ? std::max<std::size_t>(bytes, 1)
                : std::max(system_->network.packet, (bytes + most_packets - 1) / most_packets);
  flight f;
  f.from = from;
  f.to = to;
  f.bytes = bytes;
  f.kind = &kind;
  f.first_of_chain = first_of_chain;
  f.issued = time;
  double slowest = kind.bandwidth;
  for (const int l : p.route) {
    const auto& on = links_[static_cast<std::size_t>(l)];
    f.wires += on.latency;
    if (!on.port) ++f.hops;
    slowest = std::min(slowest, on.bandwidth);
  }
  f.moving = static_cast<double>(bytes) / slowest;
  flights_[which] = f;
  push(time, happening::start, which);
  return which;
}

void network::begin(double time, id which) {
  auto& f = flights_[which];
  f.begun = time;
  push(time + (f.first_of_chain ? f.kind->setup : f.kind->gap), happening::emit, which);
}

void network::leave_engine(double time, int node) {
  auto& e = engines_[static_cast<std::size_t>(node)];
  e.busy = e.first != none;
  if (!e.busy) return;
  const id following = std::exchange(e.first, progress_[e.first].behind);
  begin(time, following);
}

// The next packet leaves its source: its head is at the first link now, its tail when the mover has
// delivered it.
void network::emit(double time, id which) {
  auto& p = progress_[which];
  const auto& f = flights_[which];
  const std::size_t bytes = std::min(p.left, p.piece);
  p.left -= bytes;
  ++p.packets;
  // An adapter reads memory for all its transfers at one rate: they take turns by packets.
  double from = time;
  if (f.kind->by == mover::adapter && !p.route.empty()) {
    auto& free = adapters_[static_cast<std::size_t>(f.from)];
    from = std::max(from, free);
    free = from + static_cast<double>(bytes) / f.kind->bandwidth;
  }
  const double tail = from + static_cast<double>(bytes) / f.kind->bandwidth;
  double ready = tail;  // for the packet after it
  if (!p.route.empty()) {
    auto& first = links_[static_cast<std::size_t>(p.route.front())];
    ready =
        std::max(ready, std::max(from, first.free) + static_cast<double>(bytes) / first.bandwidth);
    if (from > time)
      push(from, happening::hop, which, 0, bytes, tail);
    else
      cross({time, 0, happening::hop, which, 0, bytes, tail});
  } else {
    push(tail + f.kind->latency, happening::arrive, which);
  }
  if (p.left > 0)
    push(ready, happening::emit, which);
  else if (f.kind->by == mover::engine)
    // By node: the transfer itself may be over, and its number in use again, by then.
    push(ready, happening::free_engine, static_cast<id>(f.from));
}

void network::cross(const event& e) {
  auto& p = progress_[e.which];
  auto& l = links_[static_cast<std::size_t>(p.route[e.hop])];
  const double begin = std::max(e.time, l.free);
  l.free = begin + static_cast<double>(e.bytes) / l.bandwidth;
  const double tail = std::max(l.free, e.tail) + l.latency;
  if (e.hop + 1 < p.route.size())
    push(begin + l.latency, happening::hop, e.which, e.hop + 1, e.bytes, tail);
  else
    push(tail + flights_[e.which].kind->latency, happening::arrive, e.which);
}

double network::next() const noexcept {
  return events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
}

std::optional<network::id> network::advance() {
  require(!events_.empty(), "network: no event is left");
  const event e = events_.top();
  events_.pop();
  switch (e.what) {
    case happening::start: {
      auto& f = flights_[e.which];
      auto& own = engines_[static_cast<std::size_t>(f.from)];
      if (f.kind->by == mover::engine && own.busy) {
        (own.first == none ? own.first : progress_[own.last].behind) = e.which;
        own.last = e.which;
        progress_[e.which].behind = none;
        break;
      }
      if (f.kind->by == mover::engine) own.busy = true;
      begin(e.time, e.which);
      break;
    }
    case happening::free_engine:
      leave_engine(e.time, static_cast<int>(e.which));
      break;
    case happening::emit:
      emit(e.time, e.which);
      break;
    case happening::hop:
      cross(e);
      break;
    case happening::arrive: {
      auto& p = progress_[e.which];
      if (--p.packets > 0 || p.left > 0) break;
      flights_[e.which].arrived = e.time;
      return e.which;
    }
  }
  return std::nullopt;
}

void network::reset() {
  while (!events_.empty()) events_.pop();  // keeps the queue's memory
  order_ = 0;
  flights_.clear();
  progress_.clear();
  free_.clear();
  for (auto& e : engines_) e = {};
  std::fill(adapters_.begin(), adapters_.end(), 0.0);
  for (auto& l : links_) l.free = 0;
}

}  // namespace gossamer::model
