// Interpreter of the schedule checker. Any interleaving will do: signals have one writer and waits
// name an epoch, so which accesses are ordered does not depend on it.
#include "gossamer/collective/check.hpp"

#include <optional>

#include "collective/check/checked_memory.hpp"
#include "collective/check/knowledge.hpp"
#include "collective/schedule/lanes.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

using namespace checker;

/// Carries the finding out of the interpreter.
struct wrong {
  std::string what;
};

class interpreter {
 public:
  interpreter(const schedule& s, std::vector<rank_schedule> parts, int epochs)
      : q_(s.request()), epochs_(epochs), parts_(std::move(parts)), known_(q_.ranks) {
    const auto p = static_cast<std::size_t>(q_.ranks);
    for (const auto& part : parts_) {
      memories_.emplace_back(s, part);
      counters_.emplace_back(static_cast<std::size_t>(part.signals));
    }
    pc_.assign(p, 0);
    epoch_.assign(p, 0);
    entered_.resize(p);
  }

  void run() {
    int finished = 0;
    for (int r = 0; r < q_.ranks; ++r) begin_epoch(r);
    while (finished < q_.ranks) {
      bool moved = false;
      finished = 0;
      for (int r = 0; r < q_.ranks; ++r) {
        while (epoch_[r] <= epochs_ && advance(r)) moved = true;
        finished += epoch_[r] > epochs_;
      }
      if (!moved && finished < q_.ranks) deadlock();
    }
  }

 private:
  [[nodiscard]] const step* now(int r) const {
    return pc_[r] < parts_[r].steps.size() ? &parts_[r].steps[pc_[r]] : nullptr;
  }
  [[nodiscard]] std::string describe(int r, int step) const {
    return "rank " + std::to_string(r) +
           (step < 0
                ? " (its caller, between epochs)"
                : " step " + std::to_string(step) + " (" +
                      gossamer::to_text(parts_[r].steps[static_cast<std::size_t>(step)]) + ")");
  }

  // --- memory ------------------------------------------------------------------------------------

  void race(const access& a, const access& b, int at, buffer_id in, std::size_t offset) const {
    constexpr const char* names[] = {"input", "output", "scratch"};
    throw wrong{"race on rank " + std::to_string(at) + " " + names[static_cast<int>(in)] + "[" +
                std::to_string(offset) + "]: " + describe(a.rank, a.step) + " and " +
                describe(b.rank, b.step)};
  }
  cell& reach(int r, buffer_place at, std::size_t i, int epoch, const access& who) {
    if (at.offset + i >= memories_[r].size(at.in))
      throw wrong{describe(who.rank, who.step) + " leaves rank " + std::to_string(r) + "'s buffer"};
    return memories_[r].at(at.in, at.offset + i, epoch);
  }
  value read(int r, buffer_place at, std::size_t i, const access& who) {
    auto& c = reach(r, at, i, epoch_[r], who);
    if (!known_.ordered(c.written, false, who.rank)) race(c.written, who, r, at.in, at.offset + i);
    if (who.put < 0)
      std::erase_if(c.read, [&](const access& a) { return a.put < 0 && a.rank == who.rank; });
    c.read.push_back(who);
    return c.now;
  }
  void write(int r, buffer_place at, std::size_t i, const value& v, int epoch, const access& who) {
    auto& c = reach(r, at, i, epoch, who);
    if (!known_.ordered(c.written, false, who.rank)) race(c.written, who, r, at.in, at.offset + i);
    for (const auto& a : c.read)
      if (!known_.ordered(a, true, who.rank)) race(a, who, r, at.in, at.offset + i);
    c.read.clear();
    c.written = who;
    c.now = v;
  }

  // --- steps ------------------------------------------------------------------------------------

  void begin_epoch(int r) {
    if (++epoch_[r] > epochs_) return;
    pc_[r] = 0;
    const access who{r, -1, known_.tick(r)};
    entered_[r].push_back(who.time);
    for (std::size_t i = 0; i < memories_[r].size(buffer_id::input); ++i)
      write(r, {buffer_id::input, 0}, i, {std::uint64_t{1} << r, i, epoch_[r]}, epoch_[r], who);
  }

  void end_epoch(int r) {
    const access who{r, -1, known_.tick(r)};
    for (int to = 0; to < q_.ranks; ++to) known_.flush(r, to, who.time);
    for (std::size_t i = 0; i < memories_[r].size(buffer_id::output); ++i) {
      const value got = read(r, {buffer_id::output, 0}, i, who);
      const value want = expected(q_, r, i, epoch_[r]);
      if (got != want)
        throw wrong{"rank " + std::to_string(r) + " output[" + std::to_string(i) + "] holds " +
                    to_text(got) + ", not " + to_text(want)};
    }
    if (q_.op == collective_op::barrier)
      for (int other = 0; other < q_.ranks; ++other)
        if (static_cast<int>(entered_[other].size()) < epoch_[r] ||
            known_.latest(r, other) < entered_[other][epoch_[r] - 1])
          throw wrong{"rank " + std::to_string(r) + " leaves before rank " + std::to_string(other) +
                      " has entered"};
  }

  bool advance(int r) {
    const step* s = now(r);
    if (s == nullptr) {
      end_epoch(r);
      begin_epoch(r);
      return true;
    }
    if (s->kind == step_kind::wait && !passes(r, *s)) return false;
    access who{r, static_cast<int>(pc_[r]), known_.tick(r)};
    switch (s->kind) {
      case step_kind::put:
        put(r, *s, who);
        break;
      case step_kind::wait:
        acquire(r, *s, who.time);
        break;
      case step_kind::copy:
        for (std::size_t i = 0; i < s->count; ++i)
          write(r, s->to, i, read(r, s->from, i, who), epoch_[r], who);
        break;
      case step_kind::reduce:
        for (std::size_t i = 0; i < s->count; ++i) reduce(r, *s, i, who);
        break;
      case step_kind::flush:
        known_.flush(r, s->peer, who.time);
        break;
    }
    ++pc_[r];
    return true;
  }

  void put(int r, const step& s, access who) {
    if (s.count != 0) {
      if (s.to.in == buffer_id::input || (s.to.in == buffer_id::output && !q_.direct))
        throw wrong{describe(r, who.step) + " writes what others may not write"};
      who.put = known_.put(r, s.peer);
      for (std::size_t i = 0; i < s.count; ++i)
        write(s.peer, s.to, i, read(r, s.from, i, who), epoch_[r], who);
    }
    if (s.signal < 0) return;
    auto& all = counters_[s.peer];
    if (static_cast<std::size_t>(s.signal) >= all.size())
      throw wrong{describe(r, who.step) + " raises a counter that is not there"};
    auto& c = all[s.signal];
    if (c.writer >= 0 && c.writer != r)
      throw wrong{"signal " + std::to_string(s.signal) + " of rank " + std::to_string(s.peer) +
                  " is raised by ranks " + std::to_string(c.writer) + " and " + std::to_string(r)};
    if (c.epoch == epoch_[r]) throw wrong{describe(r, who.step) + " raises its signal again"};
    c.raise(r, epoch_[r], known_.tell(r, s.peer));
  }

  bool passes(int r, const step& s) {
    if (static_cast<std::size_t>(s.signal) >= counters_[r].size())
      throw wrong{describe(r, static_cast<int>(pc_[r])) + ": the counter is not there"};
    const auto& c = counters_[r][s.signal];
    if (c.writer >= 0 && c.writer != s.peer)
      throw wrong{describe(r, static_cast<int>(pc_[r])) + ", but rank " + std::to_string(c.writer) +
                  " raises it"};
    return c.epoch >= epoch_[r] - s.lag;
  }

  // The counter may be further on; only what its value proves is learnt.
  void acquire(int r, const step& s, std::uint32_t time) {
    if (const auto told = counters_[r][s.signal].take(epoch_[r] - s.lag))
      known_.hear(r, s.peer, *told, time);
  }

  void reduce(int r, const step& s, std::size_t i, const access& who) {
    std::optional<value> sum;
    for (int k = 0; k < s.parts; ++k) {
      const buffer_place at =
          k == s.own_part
              ? s.own
              : buffer_place{s.from.in, s.from.offset + static_cast<std::size_t>(k) * s.stride};
      const value v = read(r, at, i, who);
      if (!sum)
        sum = v;
      else if (!sum->combine(v))
        throw wrong{describe(r, who.step) + " combines " + to_text(*sum) + " with " + to_text(v)};
    }
    write(r, s.to, i, *sum, epoch_[r], who);
  }

  [[noreturn]] void deadlock() const {
    for (int r = 0; r < q_.ranks; ++r)
      if (epoch_[r] <= epochs_)
        throw wrong{"deadlock in epoch " + std::to_string(epoch_[r]) + ": " +
                    describe(r, static_cast<int>(pc_[r])) + " never passes"};
    throw wrong{"deadlock"};
  }

  const collective_request& q_;
  int epochs_;
  std::vector<rank_schedule> parts_;
  knowledge known_;
  std::vector<memory> memories_;
  std::vector<std::vector<counter>> counters_;
  std::vector<std::size_t> pc_;
  std::vector<int> epoch_;
  std::vector<std::vector<std::uint32_t>> entered_;  ///< [rank][epoch - 1]
};

}  // namespace

std::string check(const schedule& s, std::vector<rank_schedule> parts, int epochs) {
  require(s.ranks() <= 64, "check: at most 64 ranks");
  require(parts.size() == static_cast<std::size_t>(s.ranks()), "check: needs one part per rank");
  try {
    if (const auto met = check_lanes(parts); !met.empty()) throw wrong{met};
    interpreter(s, std::move(parts), epochs).run();
  } catch (const wrong& w) {
    return std::string(s.algorithm().name) + ' ' + std::string(name_of(s.request().op)) + ": " +
           w.what;
  }
  return {};
}

std::string check(const schedule& s, int epochs) {
  require(s.ranks() <= 64, "check: at most 64 ranks");
  std::vector<rank_schedule> parts;
  for (int r = 0; r < s.ranks(); ++r) parts.push_back(s.of(r));
  return check(s, std::move(parts), epochs);
}

}  // namespace gossamer
