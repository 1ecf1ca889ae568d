// Messages in slots made beforehand. Each push cuts a segment, asks the policy where it may go and
// puts it into a free buffer.
#include "dataflow/out_queue.hpp"

#include <algorithm>

#include "dataflow/flow_state.hpp"

namespace gossamer::dataflow {

out_queue::out_queue(flow_state& flow, link_id link, std::vector<int> lanes)
    : flow_(flow),
      link_(link),
      lanes_(std::move(lanes)),
      lane_of_(flow.wires.nodes().size(), -1),
      packet_(static_cast<std::size_t>(-1)),
      slots_(most_messages) {
  for (const int lane : lanes_) {
    const auto& l = flow_.plan.lanes[static_cast<std::size_t>(lane)];
    lane_of_[static_cast<std::size_t>(l.to.index)] = lane;
    destinations_.push_back(l.to);
    packet_ = std::min(packet_, l.packet);
    paced_ = paced_ && l.one_at_a_time;
  }
  // What is cleared keeps its memory: nothing is allocated once the program runs.
  possible_.reserve(lanes_.size());
  for (auto& s : slots_) s.missing.reserve(lanes_.size());
}

std::uint64_t out_queue::add(std::span<const std::byte> data, std::size_t element,
                             const send_options& options) {
  if (closed_)
    throw usage_error("dataflow: send on '" + flow_.wires.name_of(link_) + "' after its shutdown");
  if (element > packet_)
    throw usage_error("dataflow: link '" + flow_.wires.name_of(link_) + "': an element of " +
                      std::to_string(element) + " bytes does not fit a packet of " +
                      std::to_string(packet_));
  auto& s = *std::find_if(slots_.begin(), slots_.end(), [](const auto& x) { return !x.busy; });
  s.data = data;
  s.what = {.number = numbers_++,
            .total = data.size(),
            .tag = options.tag,
            .element = static_cast<std::uint32_t>(element),
            .to = options.to};
  s.busy = true;
  s.unrouted = false;
  s.missing.clear();
  s.follows = options.after != nullptr && flow_.sends.notes().is_cuda();
  s.from_host = flow_.sends.notes().is_cuda() && !on_gpu(data.data());
  if (s.follows) {
    s.after = flow_.events.take();
    s.after.record(*options.after);
  }
  ++queued_;
  return s.what.number;
}

bool out_queue::push() {
  bool any = false;
  // A whole round without a segment ends it; each success lets the next message have its turn.
  for (std::size_t tried = 0; tried < slots_.size() && queued_ > 0;) {
    auto& s = slots_[turn_];
    turn_ = (turn_ + 1) % slots_.size();
    ++tried;
    if (!s.busy || !push_segment(s)) continue;
    any = true;
    tried = 0;
  }
  if (!closed_ || ended_ || queued_ > 0) return any;
  push_end();
  return true;
}

bool out_queue::push_segment(sending& s) {
  const auto& node = flow_.wires[flow_.wires[link_].to];
  const bool all = node.is_router() && node.policy.how == delivery::to_all;
  return all ? push_to_all(s) : push_to_one(s);
}

// Fills possible_ with lanes' endpoints; false when there are none for now.
bool out_queue::route(sending& s) {
  const auto& node = flow_.wires[flow_.wires[link_].to];
  possible_.clear();
  if (!node.is_router()) {
    possible_.push_back(destinations_.front());
  } else {
    s.what.bytes = s.what.total - s.what.offset;
    node.policy.choose(s.what, flow_.wires[link_].from, destinations_, possible_);
    for (const endpoint to : possible_) {
      const bool known = to.index >= 0 && to.index < static_cast<int>(lane_of_.size());
      if (!known || lane_of_[static_cast<std::size_t>(to.index)] < 0)
        throw usage_error("dataflow: the policy of router '" + node.name + "' (" +
                          node.policy.name + ") chose " +
                          (known ? "'" + flow_.wires[to].name + "'" : "an endpoint") +
                          ", which is no output of it");
    }
  }
  s.unrouted = possible_.empty();
  return !s.unrouted;
}

std::size_t out_queue::cut_for(const sending& s, std::size_t packet) const {
  const auto& node = flow_.wires[flow_.wires[link_].to];
  std::size_t most = packet / s.what.element * s.what.element;
  if (node.is_router() && node.policy.parts) {
    const std::size_t part = part_bytes(s.what, node.policy.parts(destinations_.size()));
    if (part > 0) most = std::min<std::size_t>(most, part - s.what.offset % part);
  }
  return std::min<std::size_t>(most, s.what.total - s.what.offset);
}

// By what the lanes have given back so far, which they did in the same time. The fastest always
// gets what it has room for.
bool out_queue::worth_it(int lane, const progress& of) const {
  const auto& l = flow_.plan.lanes[static_cast<std::size_t>(lane)];
  const std::uint64_t back = flow_.known[l.returned];
  const std::uint64_t out = flow_.counts[static_cast<std::size_t>(lane)].sent - back;
  if (of.fastest < 2) return out < 2;  // nothing is known yet
  if (back == of.fastest) return true;
  const auto buffers = static_cast<std::uint64_t>(l.buffers);
  if (out >= std::max<std::uint64_t>(1, buffers * back / of.fastest)) return false;
  if (!closed_) return true;  // more may follow
  // Done with it no later than all are with what they have and what is left.
  return (out + 1) * of.back <= (bytes_left() / l.packet + 1 + of.out) * back;
}

out_queue::progress out_queue::progress_of_possible() const {
  progress of;
  for (const endpoint to : possible_) {
    const auto lane = static_cast<std::size_t>(lane_of_[static_cast<std::size_t>(to.index)]);
    const auto back = flow_.known[flow_.plan.lanes[lane].returned];
    of.fastest = std::max(of.fastest, back);
    of.back += back;
    of.out += flow_.counts[lane].sent - back;
  }
  return of;
}

bool out_queue::push_to_one(sending& s) {
  if (!route(s)) return false;
  const bool paced = paced_ && possible_.size() > 1;
  const progress of = paced ? progress_of_possible() : progress{};
  // The most free buffers wins, so that a fast receiver gets more; equals take turns.
  int best = -1, room = 0;
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    const endpoint to = possible_[(first_choice_ + i) % possible_.size()];
    const int lane = lane_of_[static_cast<std::size_t>(to.index)];
    if (paced && !worth_it(lane, of)) continue;
    if (const int free = flow_.free_buffers(lane); free > room) {
      best = lane;
      room = free;
    }
  }
  if (best < 0) return false;
  ++first_choice_;
  const std::size_t bytes = cut_for(s, flow_.plan.lanes[static_cast<std::size_t>(best)].packet);
  put(s, best, bytes);
  advance(s, bytes);
  return true;
}

bool out_queue::push_to_all(sending& s) {
  if (s.missing.empty()) {
    if (!route(s)) return false;
    std::size_t packet = static_cast<std::size_t>(-1);
    for (const endpoint to : possible_) {
      const int lane = lane_of_[static_cast<std::size_t>(to.index)];
      s.missing.push_back(lane);
      packet = std::min(packet, flow_.plan.lanes[static_cast<std::size_t>(lane)].packet);
    }
    s.cut = cut_for(s, packet);
  }
  bool any = false;
  std::erase_if(s.missing, [&](int lane) {
    if (flow_.free_buffers(lane) == 0) return false;
    put(s, lane, s.cut);
    return any = true;
  });
  if (s.missing.empty()) advance(s, s.cut);
  return any;
}

void out_queue::put(sending& s, int lane, std::size_t bytes) {
  const auto& l = flow_.plan.lanes[static_cast<std::size_t>(lane)];
  auto& c = flow_.counts[static_cast<std::size_t>(lane)];
  if (s.follows) {
    flow_.sends.begin_after(s.after);
    flow_.events.give(std::move(s.after));
    s.follows = false;
  }
  const auto slot = static_cast<std::size_t>(c.sent) % static_cast<std::size_t>(l.buffers);
  if (bytes > 0) {
    const stream& copies = flow_.sends.for_copy(l.to_rank, bytes, s.from_host);
    flow_.r.put(flow_.data, l.to_rank, l.data_at + slot * l.stride(),
                s.data.subspan(s.what.offset, bytes), &copies);
    flow_.sends.follow(copies);
  }
  auto& header = c.staged[slot];
  header = {.number = s.what.number,
            .offset = s.what.offset,
            .bytes = bytes,
            .total = s.what.total,
            .tag = s.what.tag,
            .element = s.what.element,
            .to = s.what.to.index};
  // The total, which a store can carry: a GPU's addition to host memory is the CPU's work, and
  // holds the stream up for longer than 4 MiB take.
  flow_.r.put_signal(flow_.headers, l.to_rank, l.header_at + slot, {&header, 1},
                     flow_.counters[l.arrived], ++c.sent, signal_op::set, &flow_.sends.notes());
}

void out_queue::advance(sending& s, std::size_t bytes) {
  s.what.offset += bytes;
  if (s.what.offset < s.what.total) return;
  if (s.moment) {
    s.moment->record(flow_.events, flow_.sends.notes());
    s.moment.reset();
  }
  s.busy = false;
  --queued_;
}

void out_queue::push_end() {
  for (const int lane : lanes_) {
    const auto i = static_cast<std::size_t>(lane);
    const auto& l = flow_.plan.lanes[i];
    flow_.r.raise(flow_.counters[l.ended], l.to_rank, flow_.counts[i].sent + 1, signal_op::set,
                  &flow_.sends.notes());
  }
  ended_ = true;
}

bool out_queue::under_way(std::uint64_t number) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const auto& s) { return s.busy && s.what.number == number; });
}

event_future out_queue::moment(std::uint64_t number) {
  for (auto& s : slots_)
    if (s.busy && s.what.number == number) {
      if (!s.moment) s.moment.emplace();
      return *s.moment;
    }
  event_future now;
  now.record(flow_.events, flow_.sends.notes());
  return now;
}

bool out_queue::idle() const noexcept {
  return queued_ == 0 && closed_ == ended_;
}

std::uint64_t out_queue::bytes_left() const {
  std::uint64_t bytes = 0;
  for (const auto& s : slots_)
    if (s.busy) bytes += s.what.total - s.what.offset;
  return bytes;
}

bool out_queue::unrouted() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const auto& s) { return s.busy && s.unrouted; });
}

}  // namespace gossamer::dataflow
