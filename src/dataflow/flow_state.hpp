// flow_state: what the endpoints of one rank share: windows, counters, and the one place that
// waits.
//
// Three counters a lane carry the whole protocol. `arrived` lives at the receiver and grows by one
// with each segment, behind the puts of its data and header in stream order. `returned` lives at
// the sender and grows with each buffer given back. A sender puts only while sent - returned is
// less than the number of buffers, so that no buffer is written before its reader has let go of it.
// `ended`, at the receiver, says once how many segments there are in all (plus one). It needs no
// buffer, so a stream can end behind segments that nobody takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dataflow/layout.hpp"
#include "dataflow/out_queue.hpp"
#include "dataflow/send_streams.hpp"
#include "gossamer/dataflow/pipelined_receiver.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::dataflow {

/// For the watchdog: who waits for what. A link, or -1 for the end of everything.
struct waiting {
  const char* what = nullptr;
  int link = -1;
};

struct flow_state {
  flow_state(const wiring& w, gossamer::rank& r);
  flow_state(const flow_state&) = delete;
  flow_state& operator=(const flow_state&) = delete;

  const wiring& wires;
  gossamer::rank& r;
  const layout plan;

  struct lane_counts {
    std::uint64_t sent = 0;                 ///< by the sender
    std::uint64_t taken = 0, returned = 0;  ///< by the receiver
    std::uint64_t early = 0;           ///< bit i: buffer i was given back, one before it was not
    std::span<segment_header> staged;  ///< sources of header puts, one a buffer
  };
  std::vector<lane_counts> counts;                       // by lane
  std::vector<std::unique_ptr<out_queue>> outs;          // by link; null: begins elsewhere
  std::vector<std::unique_ptr<pipelined_receiver>> ins;  // by link; null: ends elsewhere

  window<std::byte> data;
  window<segment_header> headers;
  signal_set counters;
  std::vector<std::uint64_t> known;  ///< this rank's counters when last looked at

  // GPU ranks: all signals of segments in one stream and all returns in another, so that counters
  // grow in order; work of other streams is waited for by events from the pool.
  send_streams sends;
  gossamer::stream returns;
  event_pool events;

  /// Buffers of the lane that its sender may fill, as far as known.
  [[nodiscard]] int free_buffers(int lane) const {
    const auto& l = plan.lanes[static_cast<std::size_t>(lane)];
    const auto& c = counts[static_cast<std::size_t>(lane)];
    return l.buffers - static_cast<int>(c.sent - known[l.returned]);
  }
  [[nodiscard]] std::uint64_t arrived(int lane) const {
    return known[plan.lanes[static_cast<std::size_t>(lane)].arrived];
  }
  /// The lane's stream is over and all of it was taken.
  [[nodiscard]] bool over(int lane) const {
    const auto i = static_cast<std::size_t>(lane);
    return known[plan.lanes[i].ended] == counts[i].taken + 1;
  }
  /// Everything submitted to `order` from now on comes after what `work` holds now.
  void follow(const gossamer::stream& order, const gossamer::stream& work);

  /// Looks at the counters, sends what can leave, calls callbacks. True when anything happened.
  bool advance();
  /// advance() until `ready`, waiting where nothing happens.
  template <class F>
  void until(F ready, const waiting& why) {
    while (!ready())
      if (!advance() && !ready()) wait(why);
  }

 private:
  void refresh();
  bool call_back();
  /// Until one of this rank's counters grows; bounded.
  void wait(const waiting& why);
  void tell_of_unrouted();
  [[nodiscard]] std::string explain(const waiting& why);
  [[nodiscard]] std::string describe(const out_queue& q) const;
  [[nodiscard]] std::string describe(const pipelined_receiver& in) const;

  std::vector<std::uint64_t> awaited_;  ///< known, each plus one
  signal_set stuck_;  ///< two a rank: a link whose policy named nobody (plus one), and its bytes
  std::uint64_t told_ = 0;
};

}  // namespace gossamer::dataflow
