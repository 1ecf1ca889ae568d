// engine: the ranks of a run as fibers under virtual clocks, and the network between them.
//
// One rank runs at a time, the one with the smallest clock. It runs until it waits (wait), ends, or
// is not the smallest any more at a point that matters (turn). Events of the network up to that
// clock happen first. So everything happens in the order of virtual time, ties in a fixed order,
// and a run repeats exactly.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "fabric/carrier.hpp"
#include "gossamer/base/fiber.hpp"
#include "gossamer/fabric/network.hpp"

namespace gossamer::sim {

class engine {
 public:
  engine(std::shared_ptr<const model::system> s, int ranks);

  [[nodiscard]] model::network& net() noexcept { return net_; }
  [[nodiscard]] double now(int rank) const { return ranks_[static_cast<std::size_t>(rank)].clock; }
  void begin(run_state& run);
  void end();
  void run(const std::function<void(int)>& job);
  [[nodiscard]] bool aborted() const;
  /// Throws what a rank that meets the abort record should throw.
  [[noreturn]] void rethrow(int rank) const;

  // --- called by the running rank ---------------------------------------------------------------
  /// Returns when nothing earlier than this rank's clock can happen any more.
  void turn(int rank);
  /// The rank is busy for `seconds`.
  void spend(int rank, double seconds) {
    ++happened_;
    ranks_[static_cast<std::size_t>(rank)].clock += seconds;
  }
  /// A poll of a wait failed: sleeps until something has happened to this rank's memory or
  /// transfers. `stuck` when nothing can.
  moment wait(int rank);
  /// A poll outside of waits found nothing: moves the clock to the next thing that happens
  /// anywhere. `alive`: the rank says that it is at work (rank::progress), and is never stuck.
  moment idle(int rank, bool alive);
  /// Sleeps until `done`, which an event of the network makes true.
  void wait_for(int rank, const std::function<bool()>& done);

  /// Starts a transfer of the running rank; `arrived` happens at its arrival.
  void send(int rank, int from, int to, const model::transfer_kind& kind, std::size_t bytes,
            bool first_of_chain, std::function<void()> arrived);
  /// The same inside an event: `from` answers it, without its program having a part in it.
  void answer(int from, int to, const model::transfer_kind& kind, std::size_t bytes,
              std::function<void()> arrived);
  /// Something of the rank's changed at `time`: if it sleeps, it looks again.
  void wake(int rank, double time);
  /// wake() of all ranks at the running rank's clock.
  void wake_all(int rank);
  /// Time of the event being handled.
  [[nodiscard]] double event_time() const noexcept { return event_time_; }

 private:
  enum class status : std::uint8_t { ready, running, waiting, done };
  struct per_rank {
    std::unique_ptr<fiber> stack;
    double clock = 0;
    std::uint64_t queued = 0;   ///< place among equals, when ready
    std::uint64_t changes = 0;  ///< what happened to its memory so far …
    std::uint64_t seen = 0;     ///< … and what its last poll knew
    status is = status::done;
    moment why = moment::poll;  ///< what a wait that ends tells its caller
  };
  struct place_in_queue {
    double clock;
    std::uint64_t queued;
    int rank;
    friend bool operator>(const place_in_queue& a, const place_in_queue& b) noexcept {
      return a.clock != b.clock ? a.clock > b.clock : a.queued > b.queued;
    }
  };
  void start(double time, int from, int to, const model::transfer_kind& kind, std::size_t bytes,
             bool first_of_chain, std::function<void()> arrived);
  void make_ready(int rank);
  void give_way(int rank);
  void schedule();
  void handle_event();
  void release_all(moment why);
  [[nodiscard]] int most_telling() const;

  model::network net_;
  run_state* run_ = nullptr;
  const std::function<void(int)>* job_ = nullptr;
  std::vector<per_rank> ranks_;
  std::priority_queue<place_in_queue, std::vector<place_in_queue>, std::greater<>> ready_;
  std::uint64_t order_ = 0;
  double event_time_ = 0;
  std::vector<std::function<void()>> arrivals_;   ///< by transfer
  std::uint64_t happened_ = 0;                    ///< events and turns so far
  std::uint64_t idle_mark_ = 0, idle_polls_ = 0;  ///< polls since something happened
  bool told_ = false;                             ///< sleepers know of the abort
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace gossamer::sim
