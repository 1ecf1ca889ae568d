// Events of a modelled node, in the order of virtual time. A core takes its lists in turn: it needs
// the line that the list waits for, works for a step, and asks for the next line. Where a line has
// not come yet, the core may go on with a few lists behind it, as it executes out of order. A line
// takes one of the core's miss buffers, and then, until it is there, one of its chip's queue. The
// memory answers in the order of arrival. How long an answer takes is drawn from an exponential
// distribution, as banks are busy or not; the mean gives the controllers' rate.
//
// A prefetch that finds no buffer: a loop's waits for one. A task's is lost (paper D believes that
// later ones take the buffers of earlier ones), and the line is fetched when the task's turn comes.
#include "algorithm/pointer_chase/modelled.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer::pointer_chase {

namespace {

/// A word's update in a working set of `bytes`, of which each of a core's `lists` has one: caches
/// hold what fits of them all, the outermost that of all cores.
double update_seconds(const model::chips& on, double bytes, double lists, double cores) {
  double outside = 1, seconds = 0;
  for (std::size_t i = 0; i < on.cache_bytes.size(); ++i) {
    const bool shared = i + 1 == on.cache_bytes.size();
    const double held = std::min(1.0, on.cache_bytes[i] / (bytes * lists * (shared ? cores : 1)));
    const double here = std::max(0.0, held - (1 - outside));
    seconds += here * on.cache_latency[i];
    outside -= here;
  }
  return on.update + seconds + outside * on.latency;
}

class node {
 public:
  node(const model::chips& on, int cores, std::int64_t steps, const chase_options& o)
      : on_(on),
        options_(o),
        steps_(steps),
        lists_(static_cast<std::size_t>(o.in_flight)),
        work_(work_of_step(on, cores, o)),
        cores_(static_cast<std::size_t>(cores)),
        chips_(static_cast<std::size_t>(on.count)),
        random_(counter_random::of(o.draw, 0x6368)) {
    for (auto& c : cores_) c.lists.resize(lists_);
  }

  double run() {
    for (std::size_t c = 0; c < cores_.size(); ++c) at(0, event::turn, c, 0);
    while (!events_.empty()) {
      const happening h = events_.top();
      events_.pop();
      now_ = h.at;
      if (number_ % often == 0 && options_.run.cancel.stop_requested())
        throw cancelled_error("pointer chasing: stopped");
      switch (h.what) {
        case event::turn:
          turn(h.core);
          break;
        case event::ask:
          ask(h.core, h.list);
          break;
        case event::arrive:
          arrive(h.core, h.list);
          break;
        case event::done:
          done(h.core, h.list);
          break;
      }
    }
    return now_;
  }

 private:
  static constexpr std::uint64_t often = 4096;  ///< events; under a millisecond

  enum class event { turn, ask, arrive, done };
  struct happening {
    double at;
    std::uint64_t number;  ///< of events at one time the first made is first
    event what;
    std::size_t core, list;
    bool operator>(const happening& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };
  struct list {
    std::int64_t steps = 0;  ///< that were begun
    double ready = 0;        ///< not before that, whenever its line comes
    bool under_way = false;  ///< its line, or a place for it
    bool lost = false;       ///< nothing is on its way
    bool in_turn = false;    ///< from its turn until it has asked
  };
  struct core {
    std::vector<list> lists;
    std::size_t next = 0;             ///< list whose turn it is
    int misses = 0, late = 0;         ///< buffers in use; lists in turn whose lines have not come
    double free = 0;                  ///< when its last work ends
    bool stopped = false;             ///< until something comes
    std::deque<std::size_t> waiting;  ///< lists for a buffer
  };
  struct chip {
    int queued = 0;
    std::deque<std::pair<std::size_t, std::size_t>> waiting;  ///< core, list
  };

  static double work_of_step(const model::chips& on, int cores, const chase_options& o) {
    if (o.way == chase_way::loop) return 0;
    const double lists = static_cast<double>(o.in_flight);
    const double each = o.updates == 0 ? 0
                                       : update_seconds(on, static_cast<double>(o.working_set),
                                                        lists, std::min(cores, on.cores));
    return on.step + static_cast<double>(o.updates) * each;
  }
  [[nodiscard]] std::size_t chip_of(std::size_t c) const {
    return c / static_cast<std::size_t>(on_.cores);
  }
  /// Uniform in [0, 1).
  double drawn() { return static_cast<double>(random_(answers_++) >> 11) * 0x1p-53; }
  void at(double time, event what, std::size_t c, std::size_t which) {
    events_.push({time, number_++, what, c, which});
  }

  /// Takes lists in turn until one has work to do, or none may be taken. A core has one such event
  /// at most, and none while it has stopped.
  void turn(std::size_t c) {
    core& me = cores_[c];
    while (true) {
      const std::size_t which = me.next;
      list& l = me.lists[which];
      // Lists go in turns: if one is at its end, all of them will be.
      me.stopped = me.late > on_.ahead || l.in_turn || l.steps == steps_;
      if (me.stopped) return;
      if (l.ready > now_) return at(l.ready, event::turn, c, 0);
      me.next = (which + 1) % lists_;
      l.in_turn = true;
      if (l.lost) {
        l.lost = false;
        fetch(c, which);
      }
      if (!l.under_way) {
        work(c, which);
        return at(me.free, event::turn, c, 0);
      }
      ++me.late;
    }
  }
  void work(std::size_t c, std::size_t which) {
    core& me = cores_[c];
    me.free = std::max(me.free, now_) + work_;
    at(me.free, event::ask, c, which);
  }
  /// For a list's next line.
  void ask(std::size_t c, std::size_t which) {
    core& me = cores_[c];
    list& l = me.lists[which];
    l.in_turn = false;
    l.ready = now_ + 1e-9 * static_cast<double>(options_.delay.count());
    if (++l.steps != steps_) {
      if (me.misses == on_.misses && options_.way == chase_way::tasks)
        l.lost = true;
      else
        fetch(c, which);
    }
    go_on(c);
  }
  void go_on(std::size_t c) {
    if (!cores_[c].stopped) return;
    cores_[c].stopped = false;
    turn(c);
  }
  /// Once the core has a buffer.
  void fetch(std::size_t c, std::size_t which) {
    core& me = cores_[c];
    me.lists[which].under_way = true;
    if (me.misses == on_.misses) return me.waiting.push_back(which);
    ++me.misses;
    chips_[chip_of(c)].waiting.emplace_back(c, which);
    send(chip_of(c));
  }
  void send(std::size_t number) {
    chip& from = chips_[number];
    while (!from.waiting.empty() && from.queued < on_.queue) {
      const auto [c, which] = from.waiting.front();
      from.waiting.pop_front();
      ++from.queued;
      double leaves = now_;
      if (number != static_cast<std::size_t>(options_.memory_node.value_or(0)))
        leaves = link_free_ = std::max(link_free_, now_) + 1 / on_.link;
      at(leaves + way(), event::arrive, c, which);
    }
  }
  /// To memory, or back.
  [[nodiscard]] double way() const { return (on_.latency - 1 / on_.rate) / 2; }
  void arrive(std::size_t c, std::size_t which) {
    memory_free_ = std::max(memory_free_, now_) - std::log(1 - drawn()) / on_.rate;
    at(memory_free_ + way(), event::done, c, which);
  }
  void done(std::size_t c, std::size_t which) {
    core& me = cores_[c];
    --me.misses;
    --chips_[chip_of(c)].queued;
    send(chip_of(c));
    if (!me.waiting.empty()) {
      const std::size_t first = me.waiting.front();
      me.waiting.pop_front();
      fetch(c, first);
    }
    list& l = me.lists[which];
    l.under_way = false;
    if (l.in_turn) {
      --me.late;
      work(c, which);
    }
    go_on(c);
  }

  const model::chips& on_;
  const chase_options& options_;
  const std::int64_t steps_;
  const std::size_t lists_;
  const double work_;  ///< s of the core's own in a step
  std::vector<core> cores_;
  std::vector<chip> chips_;
  const counter_random random_;
  std::uint64_t answers_ = 0;
  std::priority_queue<happening, std::vector<happening>, std::greater<>> events_;
  std::uint64_t number_ = 0;
  double now_ = 0, memory_free_ = 0, link_free_ = 0;
};

}  // namespace

double modelled_seconds(const model::chips& on, int cores, std::int64_t steps,
                        const chase_options& options) {
  return node(on, cores, steps, options).run();
}

}  // namespace gossamer::pointer_chase
