// Takes segments lane by lane in turn, calls back where a callback is set, and gives buffers back
// in the order of their lane.
#include "gossamer/dataflow/pipelined_receiver.hpp"

#include <algorithm>

#include "dataflow/flow_state.hpp"

namespace gossamer::dataflow {

pipelined_receiver::pipelined_receiver(flow_state& flow, link_id link, std::vector<int> lanes)
    : flow_(flow), link_(link), lanes_(std::move(lanes)) {}

std::uint64_t pipelined_receiver::queued() const {
  std::uint64_t n = 0;
  for (const int lane : lanes_)
    n += flow_.arrived(lane) - flow_.counts[static_cast<std::size_t>(lane)].taken;
  return n;
}

std::uint64_t pipelined_receiver::held() const {
  std::uint64_t n = 0;
  for (const int lane : lanes_) {
    const auto& c = flow_.counts[static_cast<std::size_t>(lane)];
    n += c.taken - c.returned;
  }
  return n;
}

bool pipelined_receiver::ended() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [&](int lane) { return flow_.over(lane); });
}

bool pipelined_receiver::ready() const {
  return queued() > 0 || ended();
}

pending_segment pipelined_receiver::take() {
  for (std::size_t tried = 0; tried < lanes_.size(); ++tried) {
    const int lane = lanes_[next_];
    next_ = (next_ + 1) % lanes_.size();
    auto& c = flow_.counts[static_cast<std::size_t>(lane)];
    if (flow_.arrived(lane) == c.taken) continue;
    const auto& l = flow_.plan.lanes[static_cast<std::size_t>(lane)];
    const auto slot = static_cast<std::size_t>(c.taken) % static_cast<std::size_t>(l.buffers);
    const segment_header& header = flow_.headers.local()[l.header_at + slot];
    ++c.taken;
    const message what{.number = header.number,
                       .offset = header.offset,
                       .bytes = header.bytes,
                       .total = header.total,
                       .tag = header.tag,
                       .element = header.element,
                       .to = {header.to}};
    return {what, l.from, flow_.data.local().subspan(l.data_at + slot * l.stride(), header.bytes),
            lane, static_cast<int>(slot)};
  }
  return {};
}

bool pipelined_receiver::call_back() {
  // A callback that waits gets here again: those of other links may be called then, not this one.
  if (!callback || calling_) return false;
  calling_ = true;
  struct ending {
    bool& flag;
    ~ending() { flag = false; }
  } const at_the_end{calling_};
  bool called = false;
  while (ready()) {
    const auto segment = take();
    if (segment.empty()) break;
    callback(segment);
    release(segment, nullptr);
    called = true;
  }
  return called;
}

void pipelined_receiver::release(const pending_segment& segment, const stream* after) {
  const int lane = segment.lane_;
  bool mine = false;
  for (const int one : lanes_) mine |= one == lane;
  if (!mine)
    throw usage_error("dataflow: release on '" + flow_.wires.name_of(link_) +
                      "' of a segment that it did not receive");
  const auto& l = flow_.plan.lanes[static_cast<std::size_t>(lane)];
  auto& c = flow_.counts[static_cast<std::size_t>(lane)];
  // How far the segment's buffer lies behind the oldest one held.
  const auto buffers = static_cast<std::uint64_t>(l.buffers);
  const auto behind =
      (static_cast<std::uint64_t>(segment.slot_) + buffers - c.returned % buffers) % buffers;
  const std::uint64_t bit = std::uint64_t{1} << segment.slot_;
  if (behind >= c.taken - c.returned || (c.early & bit) != 0)
    throw usage_error("dataflow: a segment of '" + flow_.wires.name_of(link_) +
                      "' is released twice");
  const bool on_gpu = flow_.returns.is_cuda();
  if (on_gpu) flow_.follow(flow_.returns, after != nullptr ? *after : flow_.r.stream());
  c.early |= bit;
  bool given = false;
  for (; c.returned < c.taken; ++c.returned, given = true) {
    const std::uint64_t oldest = std::uint64_t{1} << (c.returned % buffers);
    if ((c.early & oldest) == 0) break;
    c.early &= ~oldest;
  }
  if (given)
    flow_.r.raise(flow_.counters[l.returned], l.from_rank, c.returned, signal_op::set,
                  on_gpu ? &flow_.returns : nullptr);
}

}  // namespace gossamer::dataflow
