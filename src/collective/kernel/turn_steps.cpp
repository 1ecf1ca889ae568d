// Resolves every step's places to addresses for one turn, credits first, then lets settle() put
// barriers where memory overlaps.
#include "collective/kernel/turn_steps.hpp"

#include <cstdint>

namespace gossamer {

namespace {

using kind = command::kind;

class turn_binder {
 public:
  turn_binder(const command_source& from, int turn) : from_(from), turn_(turn) {}

  /// Credits are about the epoch before and come first.
  std::vector<command> run() {
    for (const bool credits : {true, false})
      for (const auto& s : from_.shorter.steps)
        if (is_credit(s.what) == credits) add(s);
    settle(steps_, from_.element);
    return std::move(steps_);
  }

 private:
  [[nodiscard]] std::byte* resolve(const buffer_place& at) const {
    const std::size_t bytes = at.offset * from_.element;
    const auto& user = from_.places.user;
    switch (at.in) {
      case buffer_id::input:
        return static_cast<std::byte*>(const_cast<void*>(user.input)) + bytes;
      case buffer_id::output:
        return static_cast<std::byte*>(user.output) + bytes;
      case buffer_id::scratch:
        break;
    }
    return from_.scratch.local().data() + half_of_scratch(from_.plan.r->id()) + bytes;
  }
  [[nodiscard]] std::size_t half_of_scratch(int r) const {
    return from_.scratch.size(r) / 2 * static_cast<std::size_t>(turn_ % 2);
  }
  [[nodiscard]] std::byte* at_peer(const step& s) const {
    const auto peer = static_cast<std::size_t>(s.peer);
    const std::size_t bytes = s.to.offset * from_.element;
    if (s.to.in == buffer_id::output)
      return from_.places.user.table->parts[peer].data +
             from_.places.offsets[peer] * from_.element + bytes;
    return from_.scratch.table().parts[peer].data + half_of_scratch(s.peer) + bytes;
  }
  [[nodiscard]] std::uint64_t* words_at(int r, const packed_slot& slot) const {
    auto* all = reinterpret_cast<std::uint64_t*>(
        from_.plan.inbox.table().parts[static_cast<std::size_t>(r)].data);
    return all + from_.packed.words(r) * static_cast<std::size_t>(turn_) + slot.at;
  }
  [[nodiscard]] std::uint64_t* counter_at(int r, int signal) const {
    return reinterpret_cast<std::uint64_t*>(
               from_.plan.signals.table().parts[static_cast<std::size_t>(r)].data) +
           std::ptrdiff_t{signal} * from_.slices;
  }

  void add(const short_part::entry& entry) {
    const step& s = entry.what;
    command next;
    next.peer = s.peer;
    next.signal = s.signal;
    next.lag = s.lag;
    next.bytes = s.count * from_.element;
    const int self = from_.plan.r->id();
    switch (s.kind) {
      case step_kind::put:
        return add_put(s, next);
      case step_kind::wait: {
        const auto& slot = from_.shorter.slots[static_cast<std::size_t>(s.signal)];
        next.what = slot.bytes != 0 ? kind::unpack : kind::wait;
        next.bytes = slot.bytes;
        if (slot.bytes != 0) {
          next.words = words_at(self, slot);
          next.to = resolve(slot.to);
        } else {
          next.counter = counter_at(self, s.signal);
          if (s.lag == 2) next.lag = from_.packed.turns();
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
    for (const auto& theirs : from_.parts[static_cast<std::size_t>(s.peer)].steps) {
      if (theirs.kind != step_kind::wait || theirs.signal != s.signal) continue;
      if (theirs.lag < 2) return false;
      any = true;
    }
    return any;
  }

  void add_put(const step& s, command next) {
    const auto& slot = from_.packed.slot(s.peer, s.signal);
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
    command flag;
    flag.what = credit && turn_ % (from_.packed.turns() / 2) != 0 ? kind::none : kind::raise;
    flag.peer = s.peer;
    flag.signal = s.signal;
    flag.counter = counter_at(s.peer, s.signal);
    flag.lag = credit ? 1 : 0;
    push(flag);
  }
  void push(command s) {
    if (s.what == kind::pack || s.what == kind::unpack) {
      s.first = static_cast<std::int32_t>(taken_);
      taken_ += ((s.bytes + 7) / 8 + 31) / 32 * 32;  // whole warps
    }
    steps_.push_back(s);
  }

  const command_source& from_;
  const int turn_;
  std::vector<command> steps_;
  std::size_t taken_ = 0;  ///< threads of pack and unpack steps so far
};

}  // namespace

std::vector<command> steps_of_turn(const command_source& from, int turn) {
  return turn_binder(from, turn).run();
}

}  // namespace gossamer
