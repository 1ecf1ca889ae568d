// The memory manager with a thread of its own, which alone makes the rank's fabric calls while a
// run lasts. Parcels pass between it and the worker through rings; what the worker has to wait for
// it asks for by one word.
//
// Ordering. `asked_` belongs to the worker while it is `nothing`, and to the thread otherwise;
// mine_, found_ and failure_ are written before it changes hands (release) and read after
// (acquire). `state_` says whether the thread may use the rank; a worker that has read `parked`
// (acquire) may do so itself.
#include <sched.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/throwing.hpp"
#include "gossamer/task/memory_manager.hpp"
#include "task/parcel_ring.hpp"

namespace gossamer {

namespace {

using words = std_atomics;

enum : std::uint32_t { nothing, to_wait, to_agree };          // asked_
enum : std::uint32_t { parked, running, parking, stopping };  // state_

/// Threads of a bound rank start on its one core, which the worker has already.
void go_where_the_process_may() noexcept {
  cpu_set_t all;
  CPU_ZERO(&all);
  // A process's own number is its main thread, which is never bound.
  if (sched_getaffinity(getpid(), sizeof all, &all) == 0)
    static_cast<void>(sched_setaffinity(0, sizeof all, &all));
}

class thread_manager : public memory_manager {
 public:
  thread_manager(rank& r, const std::string& name, const parcel_limits& limits)
      : name_(name),
        exchange_(r, name_, limits),
        detector_(r.id(), r.size(), report_mail{&exchange_}),
        incoming_(static_cast<std::size_t>(limits.slots * r.size()),
                  static_cast<std::size_t>(limits.bytes)) {
    for (int to = 0; to < r.size(); ++to)
      outgoing_.push_back(
          std::make_unique<parcel_ring>(to == r.id() ? 1 : static_cast<std::size_t>(limits.slots),
                                        header + static_cast<std::size_t>(limits.bytes)));
    r.barrier();  // nobody writes into a window that is not there yet
    thread_ = std::thread([this] {
      go_where_the_process_may();
      while (await_run()) carry();
    });
  }
  ~thread_manager() override {
    words::store_release(state_, static_cast<std::uint32_t>(stopping));
    wake_sleepers(state_);
    thread_.join();
  }
  thread_manager(const thread_manager&) = delete;
  thread_manager& operator=(const thread_manager&) = delete;

  void begin() override {
    words::store_release(state_, static_cast<std::uint32_t>(running));
    wake_sleepers(state_);
  }
  void end() noexcept override {
    words::store_release(state_, static_cast<std::uint32_t>(parking));
    bed_.wake();
    backoff pace;
    while (words::load_acquire(state_) != parked) pace.pause();
  }

  [[nodiscard]] bool room(int to) const override {
    return outgoing_[static_cast<std::size_t>(to)]->room();
  }
  void send(int to, std::span<std::byte> framed) override {
    outgoing_[static_cast<std::size_t>(to)]->push(framed);
    bed_.wake();
  }
  bool receive(parcel_server& server) override {
    if (words::load_acquire(failed_) != 0) std::rethrow_exception(failure_);
    std::uint64_t done = 0;
    for (const auto& ring : outgoing_) done += ring->done();
    bool any = std::exchange(done_, done) != done;
    for (; !incoming_.empty(); any = true) {
      server.serve(incoming_.from(), incoming_.front());
      incoming_.pop();
    }
    return any;
  }
  void wait() override { ask(to_wait); }
  round_state agree(const work_report& mine) override {
    mine_ = mine;
    ask(to_agree);
    const round_state found = found_;
    if (found == round_state::waiting) wait();
    return found;
  }
  [[nodiscard]] const work_report& totals() const override { return detector_.totals(); }
  void charge(std::size_t, std::size_t) override {}  // on real machines time passes by itself
  void worked() override {}                          // the thread is always there

 private:
  void ask(std::uint32_t what) {
    words::store_release(asked_, what);
    bed_.wake();
    backoff pace(500, &worker_bed_);
    while (words::load_acquire(asked_) != nothing) pace.pause();
    if (words::load_acquire(failed_) != 0) std::rethrow_exception(failure_);
  }

  // The rest is the thread's.

  /// False when it is to stop.
  bool await_run() {
    for (;;) {
      const std::uint32_t now = words::load_acquire(state_);
      if (now == running) return true;
      if (now == stopping) return false;
      if (now == parking) park();
      sleep_on(state_, parked, std::chrono::seconds(1));
    }
  }
  void park() noexcept {
    // Unless it is to stop: then nobody waits for this.
    words::compare_and_swap(state_, static_cast<std::uint32_t>(parking),
                            static_cast<std::uint32_t>(parked));
  }

  void carry() noexcept {
    const std::exception_ptr failure = failure_of([&] {
      std::optional<backoff> pace;  // of a rest in which nothing has moved
      while (words::load_acquire(state_) == running) {
        const bool moved = carry_once();
        news_ |= moved;
        if (answer() || moved) {
          pace.reset();
          continue;
        }
        if (!pace) pace.emplace(500, &bed_);
        pace->pause();
      }
    });
    if (failure) {
      failure_ = failure;
      words::store_release(failed_, 1u);
    }
    // After a failure every question is answered by it.
    while (words::load_acquire(state_) == running) {
      answered();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    answered();
    park();
  }

  /// True when a counter has changed or a parcel has moved.
  bool carry_once() {
    bool moved = exchange_.poll();
    moved |= exchange_.receive([&] { return incoming_.room(); },
                               [&](int from, auto parcel) { incoming_.push(parcel, from); });
    for (std::size_t to = 0; to < outgoing_.size(); ++to)
      for (parcel_ring& ring = *outgoing_[to];
           !ring.empty() && exchange_.room(static_cast<int>(to)); ring.pop(), moved = true)
        exchange_.send(static_cast<int>(to), ring.front());
    if (moved) exchange_.worked();
    return moved;
  }

  /// What the worker has asked for; true when it got an answer.
  bool answer() {
    const std::uint32_t asked = words::load_acquire(asked_);
    if (asked == nothing) return false;
    if (asked == to_agree) {
      if (!detector_.reported()) detector_.report(mine_);
      found_ = detector_.look();
    } else if (!news_ && incoming_.empty() && !carry_once()) {
      // The worker sleeps, and so may this thread: what ends it comes from outside, since what the
      // worker had queued before it asked has left, or waits for a place at its destination.
      exchange_.wait(detector_.missing(), detector_.rounds());
      news_ = true;
      return true;
    } else {
      news_ = false;
    }
    answered();
    return true;
  }
  void answered() noexcept {
    words::store_release(asked_, static_cast<std::uint32_t>(nothing));
    worker_bed_.wake();
  }

  std::string name_;
  parcel_exchange exchange_;
  termination_detector<report_mail> detector_;
  std::vector<std::unique_ptr<parcel_ring>> outgoing_;  ///< by destination
  parcel_ring incoming_;
  std::uint64_t done_ = 0;  ///< parcels that have left, as the worker knows
  bool news_ = false;       ///< since the worker's last wait
  work_report mine_;
  round_state found_ = round_state::waiting;
  std::exception_ptr failure_;
  std::uint32_t failed_ = 0, asked_ = nothing, state_ = parked;
  resting_place bed_, worker_bed_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<memory_manager> make_thread_manager(rank& r, const std::string& name,
                                                    const parcel_limits& limits) {
  require(r.dev().model == nullptr,
          name +
              ": modelled machines have no threads beside their ranks; a hardware unit's manager "
              "is theirs");
  if (r.size() == 1) return make_polled_manager(r, name, limits);
  return std::make_unique<thread_manager>(r, name, limits);
}

}  // namespace gossamer
