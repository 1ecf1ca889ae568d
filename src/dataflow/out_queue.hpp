// out_queue: what an endpoint has still to send on one link, cut into segments and routed.
//
// The paper's segmenter, routing and multiplexer in one place, on the sender's side. A segment is
// cut to what its destination takes, the policy names destinations, and one with a free buffer gets
// it. Messages of the queue take turns, one segment each. So a counter sent behind a gigabyte waits
// for the segments that were on their way and no longer.
//
// Several destinations may be possible and take one segment at a time (link_options). Then one that
// has given back few gets few ahead. At the end of the stream it gets none that all together would
// be done with before it: what a slow one still has when the rest is over is what everybody waits
// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/dataflow/link.hpp"

namespace gossamer::dataflow {

struct flow_state;

class out_queue {
 public:
  static constexpr std::size_t most_messages = 64;

  /// `lanes`: numbers of the lanes that begin with this link.
  out_queue(flow_state& flow, link_id link, std::vector<int> lanes);

  /// Room for one message more.
  [[nodiscard]] bool has_room() const noexcept { return queued_ < most_messages; }
  /// Queues it; returns its number.
  std::uint64_t add(std::span<const std::byte> data, std::size_t element,
                    const send_options& options);
  void close() noexcept { closed_ = true; }
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  /// Sends what can leave now. True when anything did.
  bool push();
  [[nodiscard]] bool under_way(std::uint64_t number) const;
  /// The moment after the last segment of a message that may still be under way.
  event_future moment(std::uint64_t number);
  /// Everything, the end of the stream too if it was closed, has left.
  [[nodiscard]] bool idle() const noexcept;
  /// Bytes not sent; and whether some message's policy named no destination.
  [[nodiscard]] std::uint64_t bytes_left() const;
  [[nodiscard]] std::size_t messages() const noexcept { return queued_; }
  [[nodiscard]] bool unrouted() const;
  /// Whether slow destinations get few segments ahead.
  [[nodiscard]] bool paced() const noexcept { return paced_ && lanes_.size() > 1; }
  [[nodiscard]] link_id link() const noexcept { return link_; }
  [[nodiscard]] const std::vector<int>& lanes() const noexcept { return lanes_; }

 private:
  struct sending {
    std::span<const std::byte> data;
    message what;  ///< offset: of the next segment
    event after;   ///< GPU ranks: of the work that makes the data
    bool busy = false, follows = false;
    bool from_host = false;    ///< GPU ranks: the data lies in no GPU's memory
    bool unrouted = false;     ///< the policy named nobody when it was last asked
    std::vector<int> missing;  ///< to_all: lanes that have not got the present segment
    std::size_t cut = 0;       ///< its bytes
    std::optional<event_future> moment;
  };
  bool push_segment(sending& s);
  bool push_to_all(sending& s);
  bool push_to_one(sending& s);
  /// Segments that possible lanes have given back: the fastest of them, all; and those still out.
  struct progress {
    std::uint64_t fastest = 0, back = 0, out = 0;
  };
  [[nodiscard]] progress progress_of_possible() const;
  [[nodiscard]] bool worth_it(int lane, const progress& of) const;
  bool route(sending& s);
  [[nodiscard]] std::size_t cut_for(const sending& s, std::size_t packet) const;
  void put(sending& s, int lane, std::size_t bytes);
  void advance(sending& s, std::size_t bytes);
  void push_end();

  flow_state& flow_;
  link_id link_;
  std::vector<int> lanes_;
  std::vector<int> lane_of_;  ///< by endpoint; -1: none
  endpoint_list destinations_, possible_;
  std::size_t packet_ = 0;  ///< of the smallest lane
  std::vector<sending> slots_;
  std::size_t queued_ = 0, turn_ = 0, first_choice_ = 0;
  std::uint64_t numbers_ = 0;
  bool closed_ = false, ended_ = false;
  bool paced_ = true;  ///< all lanes' receivers give each segment back before they take the next
};

}  // namespace gossamer::dataflow
