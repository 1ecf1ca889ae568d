// pipelined_receiver: the receive buffers at the end of a link, and the order in which they are
// handed out (paper C, 4.1: double and triple buffering behind a queue of future reads).
//
// Every buffer is open to its sender from the start. The sender counts what it has filled and what
// came back. Segments of one sender are handed out as they were sent; senders take turns. Buffers
// are given back in the order in which they were handed out. One released early is held until those
// before it are released, because the sender knows of them by one counter. So a receiver that waits
// for more while it holds the oldest may wait for a sender that has no buffer left.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gossamer/dataflow/segment.hpp"

namespace gossamer::dataflow {

struct flow_state;  // private to the layer

class pipelined_receiver {
 public:
  /// `lanes`: numbers of the lanes that end here, one for each sender.
  pipelined_receiver(flow_state& flow, link_id link, std::vector<int> lanes);

  /// True when a segment, or the end of the stream, can be taken at once.
  [[nodiscard]] bool ready() const;
  /// The next segment; empty when the stream has ended. ready() must hold.
  pending_segment take();
  /// See link::release.
  void release(const pending_segment& segment, const stream* after);
  /// Called for each segment while the rank waits for anything; then it is released.
  std::function<void(const pending_segment&)> callback;
  /// Hands the callback what is there. True when there was anything.
  bool call_back();

  /// The streams of all senders have ended, and all that they sent was taken.
  [[nodiscard]] bool ended() const;
  [[nodiscard]] link_id link() const noexcept { return link_; }
  /// Segments that have arrived and were not taken, and those taken and not released.
  [[nodiscard]] std::uint64_t queued() const;
  [[nodiscard]] std::uint64_t held() const;
  [[nodiscard]] const std::vector<int>& lanes() const noexcept { return lanes_; }

 private:
  flow_state& flow_;
  link_id link_;
  std::vector<int> lanes_;
  std::size_t next_ = 0;  ///< the lane to look at first
  bool calling_ = false;
};

}  // namespace gossamer::dataflow
