// Makes a plan's program (program.hpp): resolves addresses, decides where the team needs a barrier,
// how many threads it has, and which signals may be raised later.
#include "collective/program.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "collective/plan_state.hpp"
#include "collective/shortcuts.hpp"
#include "collective/slices.hpp"

namespace gossamer {

namespace {

using kind = program_step::kind;

/// Threads of a block.
constexpr int most_threads = 1024;
class program_binder {
 public:
  program_binder(collective_plan::state& plan, const rank_schedule& part, const plan_places& places)
      : plan_(plan),
        places_(places),
        element_(plan.what.request().element),
        packed_(plan.what),
        short_(take_shortcuts(plan.what, part, packed_)) {
    auto& r = *plan.r;
    for (int i = 0; i < r.size(); ++i) parts_.push_back(plan.what.of(i));
    scratch_ = r.make_window<std::byte>(2 * rounded(bytes_for(part.scratch, element_)));
    slices_ = slices_of(r.owner(), plan.what, parts_, packed_);
    plan.signals = r.make_signals(static_cast<std::size_t>(std::max(part.signals, 1) * slices_));
    // Counters, because these are zero before anyone can write to them.
    plan.inbox = window<std::uint64_t>(
        &r.make_signals(static_cast<std::size_t>(packed_.turns()) * packed_.words(r.id())).table());
  }

  void run() {
    auto& r = *plan_.r;
    auto& k = plan_.kernel;
    const auto all = bound();
    k.slices = slices_;
    k.turns = packed_.turns();
    k.count = static_cast<int>(all.size()) / k.turns;
    k.signals = plan_.signals.table().id;
    k.inbox = plan_.inbox.table().id;
    const auto steps = r.scratch<program_step>(all.size());
    if (!all.empty()) copy_bytes(steps.data(), all.data(), steps.size_bytes());
    k.steps = steps.data();
    if (!plan_.cuda) return;
    k.blocks = slices_ > 1 ? slices_ : blocks(all);
    k.threads = k.blocks > 1 ? most_threads : threads(all);
    k.epoch = zeroed<std::uint64_t>(1);
    k.arrivals = zeroed<std::uint32_t>(all.size());
    k.barrier = zeroed<std::uint32_t>(2);
    if (slices_ == 1) plan_.hop = as_one_hop(k, all, element_);
    r.synchronize();
  }

 private:
  /// The steps of all turns. Credits are about the epoch before and come first.
  std::vector<program_step> bound() {
    std::vector<std::vector<program_step>> parts;
    std::size_t longest = 0;
    for (turn_ = 0; turn_ < packed_.turns(); ++turn_) {
      steps_.clear();
      taken_ = 0;
      for (const bool credits : {true, false})
        for (const auto& s : short_.steps)
          if (is_credit(s.what) == credits) add(s);
      settle(steps_, element_);
      longest = std::max(longest, steps_.size());
      parts.push_back(steps_);
    }
    std::vector<program_step> all;
    for (auto& part : parts) {
      part.resize(longest);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  template <class T>
  T* zeroed(std::size_t n) {
    const auto words = plan_.r->scratch<T>(n);
    plan_.r->fill(words.data(), 0, words.size_bytes());
    return words.data();
  }

  [[nodiscard]] int blocks(const std::vector<program_step>& steps) const {
    std::size_t most = 0;
    for (const auto& s : steps) most = std::max({most, s.bytes, fold_bytes(s)});
    return blocks_for(most, plan_.r->dev().share);
  }
  /// Of one block: a thread for each pair of words that may be in flight together, because barriers
  /// of few warps are cheaper, and polling costs a trip a pair.
  [[nodiscard]] int threads(const std::vector<program_step>& steps) const {
    std::size_t most = 32, together = 0;
    kind before = kind::wait;
    for (const auto& s : steps) {
      const bool packed = s.what == kind::pack || s.what == kind::unpack;
      if (s.what != before) together = 0;
      if (packed) together += ((s.bytes + 7) / 8 + 31) / 32 * 32;
      most = std::max({most, together, packed ? 0 : s.bytes / 16, s.fold.count * element_ / 8});
      before = s.what;
    }
    return static_cast<int>(std::bit_ceil(std::min<std::size_t>(most, most_threads)));
  }
  [[nodiscard]] std::size_t fold_bytes(const program_step& s) const {
    return s.what == kind::fold || s.what == kind::fold_packed ? s.fold.count * element_ : 0;
  }

  [[nodiscard]] std::byte* resolve(const place& at) const {
    const std::size_t bytes = at.offset * element_;
    const auto& user = places_.user;
    switch (at.in) {
      case buffer_id::input:
        return static_cast<std::byte*>(const_cast<void*>(user.input)) + bytes;
      case buffer_id::output:
        return static_cast<std::byte*>(user.output) + bytes;
      case buffer_id::scratch:
        break;
    }
    return scratch_.local().data() + half_of_scratch(plan_.r->id()) + bytes;
  }
  [[nodiscard]] std::size_t half_of_scratch(int r) const {
    return scratch_.size(r) / 2 * static_cast<std::size_t>(turn_ % 2);
  }
  [[nodiscard]] std::byte* at_peer(const step& s) const {
    const auto peer = static_cast<std::size_t>(s.peer);
    const std::size_t bytes = s.to.offset * element_;
    if (s.to.in == buffer_id::output)
      return places_.user.table->parts[peer].data + places_.offsets[peer] * element_ + bytes;
    return scratch_.table().parts[peer].data + half_of_scratch(s.peer) + bytes;
  }
  [[nodiscard]] std::uint64_t* words_at(int r, const packed_slot& slot) const {
    auto* all = reinterpret_cast<std::uint64_t*>(
        plan_.inbox.table().parts[static_cast<std::size_t>(r)].data);
    return all + packed_.words(r) * static_cast<std::size_t>(turn_) + slot.at;
  }
  [[nodiscard]] std::uint64_t* counter_at(int r, int signal) const {
    return reinterpret_cast<std::uint64_t*>(
               plan_.signals.table().parts[static_cast<std::size_t>(r)].data) +
           signal * slices_;
  }

  void add(const short_part::entry& entry) {
    const step& s = entry.what;
    program_step next;
    next.peer = s.peer;
    next.signal = s.signal;
    next.lag = s.lag;
    next.bytes = s.count * element_;
    const int self = plan_.r->id();
    switch (s.kind) {
      case step_kind::put:
        return add_put(s, next);
      case step_kind::wait: {
        const auto& slot = short_.slots[static_cast<std::size_t>(s.signal)];
        next.what = slot.bytes != 0 ? kind::unpack : kind::wait;
        next.bytes = slot.bytes;
        if (slot.bytes != 0) {
          next.words = words_at(self, slot);
          next.to = resolve(slot.to);
        } else {
          next.counter = counter_at(self, s.signal);
          if (s.lag == 2) next.lag = packed_.turns();
        }
        break;
      }
      case step_kind::copy:
        next.what = kind::copy;
        next.to = resolve(s.to);
        next.from = resolve(s.from);
        break;
      case step_kind::reduce:
        next.what = kind::fold;
        next.fold = {resolve(s.to), resolve(s.from), s.own_part >= 0 ? resolve(s.own) : nullptr,
                     s.own_part,    s.parts,         s.stride,
                     s.count};
        next.bytes = 0;
        if (entry.inbox == short_part::none) break;
        next.what = kind::fold_packed;
        next.words = words_at(self, {0, entry.inbox, {}});
        break;
      case step_kind::flush:
        return;  // whoever overwrites the source next waits for the whole team
    }
    push(next);
  }

  /// A signal that tells that data was read, for puts that take the same turn. It is raised at the
  /// next epoch's start instead of this one's end: still in time, needs no fence, since the epoch
  /// that read is over, and its trip is no part of how long this epoch takes. Twice in all turns is
  /// enough: the writer is never more than half of them from what it waits for.
  [[nodiscard]] bool is_credit(const step& s) const {
    if (s.kind != step_kind::put || s.count != 0 || s.signal < 0) return false;
    bool any = false;
    for (const auto& theirs : parts_[static_cast<std::size_t>(s.peer)].steps) {
      if (theirs.kind != step_kind::wait || theirs.signal != s.signal) continue;
      if (theirs.lag < 2) return false;
      any = true;
    }
    return any;
  }

  void add_put(const step& s, program_step next) {
    const auto& slot = packed_.slot(s.peer, s.signal);
    if (s.count != 0) {
      next.from = resolve(s.from);
      next.what = slot.bytes != 0 ? kind::pack : kind::put;
      if (slot.bytes != 0)
        next.words = words_at(s.peer, slot);
      else
        next.to = at_peer(s);
      push(next);
    }
    if (s.signal < 0 || (s.count != 0 && slot.bytes != 0)) return;
    const bool credit = is_credit(s);
    program_step flag;
    flag.what = credit && turn_ % (packed_.turns() / 2) != 0 ? kind::none : kind::raise;
    flag.peer = s.peer;
    flag.signal = s.signal;
    flag.counter = counter_at(s.peer, s.signal);
    flag.lag = credit ? 1 : 0;
    push(flag);
  }
  void push(program_step s) {
    if (s.what == kind::pack || s.what == kind::unpack) {
      s.first = static_cast<std::int32_t>(taken_);
      taken_ += ((s.bytes + 7) / 8 + 31) / 32 * 32;  // whole warps
    }
    steps_.push_back(s);
  }

  collective_plan::state& plan_;
  const plan_places& places_;
  const std::size_t element_;
  const packing packed_;
  const short_part short_;
  std::vector<rank_schedule> parts_;  ///< everybody's
  window<std::byte> scratch_;
  std::vector<program_step> steps_;
  std::size_t taken_ = 0;  ///< threads of pack and unpack steps so far
  int turn_ = 0;
  int slices_ = 1;
};

}  // namespace

void bind_program(collective_plan::state& plan, const rank_schedule& part,
                  const plan_places& places) {
  program_binder(plan, part, places).run();
}

std::size_t program_bytes(const schedule& s, const rank_schedule& part) {
  if (s.ranks() > most_packed_ranks) return 0;
  const packing packed(s);
  const auto turns = static_cast<std::size_t>(packed.turns());
  // No step moves more than everything.
  const auto& q = s.request();
  const std::size_t most =
      std::max({q.count, s.input_size(part.rank), s.output_size(part.rank)}) * q.element;
  const bool sliced = blocks_for(most, 1) >= fewest_slices;
  const auto counters = static_cast<std::size_t>(sliced ? part.signals * most_slices : 0);
  // A put and its flag are two.
  const std::size_t steps = turns * 2 * (part.steps.size() + 1);
  return rounded(steps * sizeof(program_step)) +
         rounded(turns * packed.words(part.rank) * sizeof(std::uint64_t)) +
         rounded(steps * sizeof(std::uint32_t)) + rounded(counters * sizeof(std::uint64_t)) +
         6 * plan_alignment;
}

}  // namespace gossamer
