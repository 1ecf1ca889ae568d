// The host thread of a GPU rank: a distributed worklist by links and routers (Groute, PPoPP 2017).
//
// It turns the rank's queue over (list_device.hpp), packs what was put aside for others, and sends
// it through the router. What arrives is taken in beside the kernel that works. Nothing waits for
// another rank. What finds no buffer stays in its list, marked, where newer values overtake it:
// back-pressure costs time and never a deadlock.
//
//   look     a turn was shown: counts of what is queued and put aside
//   send     pack, link.send, for each rank with a free place
//   turn     the last one has been worked off, and found something; or messages were taken in
//   receive  each segment that came: take(), release behind it
//
// With `steal` a rank that has reported asks the one that it waits for, once. If that one's next
// turn has enough in its queue, it leaves half out. This is packed as messages are, and the idle
// rank works it off. A granted item is created at the cut and finished as a message is.
//
// The end, and windows of priorities, are those of all worklists: collective/termination.hpp and
// dataflow/threshold.hpp. Items are what was worked off, and messages: a message is created when it
// has been put aside (before it is packed), and finished when a turn has shown what it led to. A
// rank reports with nothing queued, nothing taken in that was not shown, and nothing to pack; what
// it has queued in links is created and not finished, so that no round is quiet meanwhile.
//
// Windows never become narrower than the first, where those of CPU ranks may: a GPU repeats much
// in any window that is worth a launch.
#pragma once

#include <memory>
#include <optional>

#include "algorithm/host_driven/list_device.hpp"
#include "algorithm/host_driven/report_mail.hpp"
#include "algorithm/host_driven/staging.hpp"
#include "algorithm/host_driven/steal_requests.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/dataflow/threshold.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"

namespace gossamer::algorithm_detail {

class host_loop {
 public:
  /// Collective, inside a run: makes links and windows. All must outlive it.
  host_loop(rank& r, const host_list_graph& graph, list_device& lists,
            const host_list_options& options);
  /// Collective: returns when all work of all ranks is done, and the links are closed.
  void run();

  /// Of this rank: rounds, windows, and what was sent; the rest is the device's.
  [[nodiscard]] const worklist_counters& counters() const noexcept { return counters_; }
  /// Seconds from the beginning to the end of work.
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  bool receive();
  bool look();
  bool send();
  bool send_to(int to);
  bool send_granted();
  template <class Pack>
  bool send_from(staging_buffers& staging, dataflow::link_id up, int to, std::uint64_t n,
                 const Pack& pack);
  dataflow::send_future send_packed(std::span<const std::byte> messages, dataflow::link_id up,
                                    int to);
  bool receive_from(dataflow::link_id down, bool granted);
  bool chooses_thief();
  bool turn();
  [[nodiscard]] bool rests() const;
  round_state agree();
  void pause();
  [[nodiscard]] int awaited() const;
  void watch();
  void close();

  rank& rank_;
  const host_list_graph& graph_;
  list_device& lists_;
  const host_list_options& options_;
  const int self_, ranks_;
  std::optional<dataflow::flow> flow_;  ///< of several ranks, as the next two
  std::optional<report_window> reports_;
  staging_buffers staging_;
  std::optional<steal_requests> requests_;  ///< of ranks that steal, as the next
  staging_buffers grant_staging_;
  termination_detector<report_mail> detector_;
  priority_threshold threshold_;

  list_snapshot shown_;
  bool awaiting_ = false;                  ///< the last turn has not been shown
  std::uint64_t taken_ = 0, covered_ = 0;  ///< messages since the last turn; before it, not shown
  std::uint64_t finished_ = 0;             ///< … shown
  std::array<std::uint64_t, most_host_list_ranks> packed_{};
  int thief_ = 0;                            ///< who gets what a turn leaves out
  std::uint64_t granted_ = 0, leaving_ = 0;  ///< items, in all; of the last turn, not sent yet
  bool ended_ = false;

  const std::uint32_t spins_;  ///< polls before the thread yields
  std::optional<backoff> idle_;
  int watched_ = -1;  ///< the rank whose heartbeat is watched
  std::uint64_t heartbeat_ = 0;
  watchful_clock clock_;
  std::chrono::nanoseconds since_{0};
  worklist_counters counters_;
  double seconds_ = 0;
};

}  // namespace gossamer::algorithm_detail
