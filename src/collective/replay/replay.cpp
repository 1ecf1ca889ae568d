// The replayer: ranks as positions in their step lists, the network's events between them. What is
// on its way is transfers.hpp's, what steps cost step_costs.hpp's.
#include "gossamer/collective/replay.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "collective/replay/step_costs.hpp"
#include "collective/replay/transfers.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::model {

namespace {

constexpr int none = -1;
constexpr int everybody = -2;

/// A moment on a rank's chain of causes: what took the time since the moment before it.
struct cause {
  int before = none;
  time_parts parts;  ///< of this link of the chain alone
};

class replayer {
 public:
  replayer(const schedule& what, std::shared_ptr<const system> on, memory native)
      : what_(what), net_(std::move(on), what.ranks()), costs_(what, net_.what(), native) {
    ranks_.resize(static_cast<std::size_t>(what.ranks()));
    for (int r = 0; r < what.ranks(); ++r) {
      auto& rank = ranks_[static_cast<std::size_t>(r)];
      rank.part = what.of(r);
      rank.arrived.assign(static_cast<std::size_t>(std::max(rank.part.signals, 1)), none);
      advance(rank, costs_.of_start(rank.part));
      ready_.push({rank.clock, ++order_, r});
    }
  }

  replay_result run() {
    for (;;) {
      if (!ready_.empty() && ready_.top().clock < net_.next()) {
        const int r = ready_.top().rank;
        ready_.pop();
        step_of(r);
      } else if (net_.next() < std::numeric_limits<double>::infinity()) {
        if (const auto done = net_.advance()) arrive(*done);
      } else {
        break;
      }
    }
    return result();
  }

 private:
  struct rank_state {
    rank_schedule part;
    std::size_t next = 0;
    double clock = 0;
    int last = none;       ///< latest cause
    int waits_for = none;  ///< signal
    int flushes = none;    ///< a peer, or everybody
    std::size_t in_flight = 0;
    network::id last_sent = 0;
    std::vector<int> arrived;  ///< by signal: cause, none = not yet
  };
  struct turn {
    double clock;
    std::uint64_t order;
    int rank;
    friend bool operator>(const turn& a, const turn& b) {
      return a.clock != b.clock ? a.clock > b.clock : a.order > b.order;
    }
  };

  int add_cause(int before, const time_parts& parts) {
    causes_.push_back({before, parts});
    return static_cast<int>(causes_.size()) - 1;
  }
  void advance(rank_state& rank, const time_parts& parts) {
    rank.clock += parts.total();
    rank.last = add_cause(rank.last, parts);
  }

  // One rank, until it waits or its next transfer has to take its turn among the others.
  void step_of(int r) {
    auto& rank = ranks_[static_cast<std::size_t>(r)];
    const auto& steps = rank.part.steps;
    while (rank.next < steps.size()) {
      const auto& s = steps[rank.next];
      if (s.kind == step_kind::wait) {
        if (s.lag == 0 && !waited(rank, r, s)) return;
        ++rank.next;
        continue;
      }
      if (s.kind == step_kind::flush) {
        if (!transfers_.all_seen(r, s.peer)) {
          rank.flushes = s.peer;
          return;
        }
        ++rank.next;
        continue;
      }
      if (s.kind == step_kind::put) {
        send(r, rank, s);
        ++rank.next;
        ready_.push({rank.clock, ++order_, r});
        return;
      }
      advance(rank, costs_.of_work(s));
      ++rank.next;
    }
    if (rank.in_flight > 0) rank.flushes = everybody;  // the end of an epoch completes all puts
  }

  bool waited(rank_state& rank, int, const step& s) {
    const int from = rank.arrived[static_cast<std::size_t>(s.signal)];
    if (from == none) {
      rank.waits_for = s.signal;
      return false;
    }
    // As the runner counts: waits in a row are one step, and a look for each further one.
    const bool again = rank.next > 0 && rank.part.steps[rank.next - 1].kind == step_kind::wait;
    time_parts p;
    p.software = again ? net_.what().software.poll : net_.what().software.step;
    advance(rank, p);
    return true;
  }

  /// True when the step is a signal alone that travels with the put right before it.
  bool travels_along(rank_state& rank, const step& s) {
    if (s.count != 0 || rank.next == 0) return false;
    const auto& before = rank.part.steps[rank.next - 1];
    if (before.kind != step_kind::put || before.count == 0 || before.peer != s.peer ||
        before.signal >= 0)
      return false;
    transfers_.add_signal(rank.last_sent, s.signal);
    return true;
  }

  /// True when a put of the chain that s belongs to was started by an engine already.
  [[nodiscard]] bool chain_goes_on(int r, const rank_state& rank, const step& s) const {
    const auto& steps = rank.part.steps;
    for (std::size_t i = rank.next; i-- > 0;) {
      if (steps[i].kind != step_kind::put || steps[i].chain != s.chain) break;
      if (costs_.kind_of(r, steps[i]).by == mover::engine) return true;
    }
    return false;
  }

  void send(int r, rank_state& rank, const step& s) {
    if (travels_along(rank, s)) return;
    const std::size_t bytes = costs_.bytes_of(s);
    const auto& kind = costs_.kind_of(r, s);
    const bool first = kind.by != mover::engine || !chain_goes_on(r, rank, s);
    time_parts p;
    if (first) p.start = kind.start;
    advance(rank, p);
    rank.last_sent =
        transfers_.start(rank.clock, {r, s.peer, s.signal, rank.last}, kind, bytes, first);
    ++rank.in_flight;
    ++sent_;
    if (s.count != 0) bytes_ += bytes;
    if (kind.by == mover::processor) {
      time_parts stores;
      stores.start = static_cast<double>(bytes) / kind.bandwidth;
      advance(rank, stores);
    }
  }

  void arrive(network::id which) {
    const flight f = net_[which];
    const transfers::sent s = transfers_[which];
    time_parts p;
    p.setup = f.first_of_chain ? f.kind->setup : f.kind->gap;
    p.latency = f.wires + f.kind->latency;
    p.moving = f.moving;
    p.contention = std::max(0.0, f.arrived - f.issued - p.total());
    const int c = add_cause(s.cause, p);
    auto& sender = ranks_[static_cast<std::size_t>(s.rank)];
    --sender.in_flight;
    transfers_.arrive(which, [&](int signal) { deliver(signal, s.peer, f.arrived, c); });
    const bool flushed = sender.flushes == everybody
                             ? sender.in_flight == 0
                             : sender.flushes == s.peer && transfers_.all_seen(s.rank, s.peer);
    if (!flushed) return;
    sender.flushes = none;
    wake(s.rank, f.arrived, c);
  }

  void deliver(int signal, int peer, double time, int why) {
    if (signal < 0) return;
    auto& target = ranks_[static_cast<std::size_t>(peer)];
    target.arrived[static_cast<std::size_t>(signal)] = why;
    if (target.waits_for != signal) return;
    target.waits_for = none;
    wake(peer, time, why);
  }

  // What a rank slept for came: the chain of causes goes on there.
  void wake(int r, double time, int why) {
    auto& rank = ranks_[static_cast<std::size_t>(r)];
    if (time > rank.clock) {
      rank.clock = time;
      rank.last = why;
    }
    ready_.push({rank.clock, ++order_, r});
  }

  replay_result result() {
    replay_result out;
    for (int r = 0; r < what_.ranks(); ++r) {
      const auto& rank = ranks_[static_cast<std::size_t>(r)];
      if (rank.next < rank.part.steps.size())
        throw usage_error("replay: rank " + std::to_string(r) + " waits for ever in step " +
                          std::to_string(rank.next) + ": " + to_text(rank.part.steps[rank.next]));
      out.finished.push_back(rank.clock);
      if (rank.clock > out.finished[static_cast<std::size_t>(out.slowest)]) out.slowest = r;
    }
    out.seconds = out.finished[static_cast<std::size_t>(out.slowest)];
    for (int c = ranks_[static_cast<std::size_t>(out.slowest)].last; c != none;
         c = causes_[static_cast<std::size_t>(c)].before) {
      out.parts += causes_[static_cast<std::size_t>(c)].parts;
    }
    out.transfers = sent_;
    out.bytes = bytes_;
    return out;
  }

  const schedule& what_;
  network net_;
  transfers transfers_{net_};
  step_costs costs_;
  std::vector<rank_state> ranks_;
  std::vector<cause> causes_;
  std::priority_queue<turn, std::vector<turn>, std::greater<>> ready_;
  std::uint64_t order_ = 0;
  std::size_t sent_ = 0, bytes_ = 0;
};

}  // namespace

replay_result replay(const schedule& what, std::shared_ptr<const system> on, memory native) {
  return replayer(what, std::move(on), native).run();
}

}  // namespace gossamer::model
