// From steps to actions: takes scratch and signals, resolves every address once for both scratch
// buffers, and gathers chains of puts into transfer lists.
//
// The caller's buffers are used where they lie, or replaced (user_buffers.hpp).
#include <algorithm>
#include <optional>

#include "collective/run/plan_state.hpp"
#include "collective/run/stream_lanes.hpp"
#include "collective/run/user_buffers.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

class binder {
 public:
  binder(collective_plan::state& plan, const rank_schedule& part, const plan_places& places)
      : plan_(plan),
        part_(part),
        places_(places),
        element_(plan.what.request().element),
        user_(plan, part.rank, places.user) {
    auto& r = *plan.r;
    const home where = plan.host_work ? home::host : home::native;
    scratch_ = r.make_window<std::byte>(2 * rounded(bytes_for(part.scratch, element_)), where);
    plan.signals = r.make_signals(static_cast<std::size_t>(std::max(part.signals, 1)), where);
    folds_ =
        std::ranges::any_of(part.steps, [](const step& s) { return s.kind == step_kind::reduce; });
    if (folds_ && plan.cuda) user_.bounce(plan, part.rank);
    if (suits_streams()) lanes_.emplace(plan);
  }

  void run() {
    for (int parity = 0; parity < 2; ++parity) {
      parity_ = parity;
      into_ = &plan_.actions[static_cast<std::size_t>(parity)];
      copy_user(user_.in_bounced, user_.input, places_.user.input, user_.input_bytes);
      settled_ = false;
      for (std::size_t i = 0; i < part_.steps.size();) {
        if (lanes_) lanes_->enter(part_.steps[i], *into_);
        i = add(i);
      }
      if (lanes_) lanes_->finish(*into_);
      copy_user(user_.out_bounced, places_.user.output, user_.output, user_.output_bytes);
    }
    for (const auto& s : part_.steps)
      if (s.kind == step_kind::put && s.count != 0 &&
          std::ranges::find(plan_.readers, s.peer) == plan_.readers.end())
        plan_.readers.push_back(s.peer);
  }

 private:
  void settle() {
    action a;
    a.what = action::kind::settle;
    into_->push_back(a);
  }
  /// Not where ranks share a GPU: streams that wait would use up its hardware queues. Not where the
  /// host has to wait for the plan's stream. Not in a stream of the caller's either, since plans
  /// share the lanes' streams, and plans of different streams may be started in any order.
  [[nodiscard]] bool suits_streams() const {
    return plan_.cuda && plan_.on == &plan_.r->stream() && plan_.r->dev().own_engines &&
           !plan_.host_work && !user_.pageable() &&
           std::ranges::any_of(part_.steps, [](const step& s) { return s.lane >= 0; });
  }

  void copy_user(bool needed, void* to, const void* from, std::size_t bytes) {
    if (!needed || bytes == 0) return;
    if (user_.pageable()) settle();
    action a;
    a.what = action::kind::copy;
    a.to = to;
    a.from = from;
    a.count = bytes;
    into_->push_back(a);
  }

  [[nodiscard]] std::byte* resolve(const buffer_place& at) const {
    const std::size_t bytes = at.offset * element_;
    switch (at.in) {
      case buffer_id::input:
        return user_.input + bytes;
      case buffer_id::output:
        return user_.output + bytes;
      case buffer_id::scratch:
        break;
    }
    return scratch_.local().data() + scratch_.size() / 2 * static_cast<std::size_t>(parity_) +
           bytes;
  }

  /// Where a put goes, in elements of the target's table.
  void resolve_target(const step& s, action& a) const {
    if (s.to.in == buffer_id::output) {
      a.table = places_.user.table;
      a.offset = places_.offsets[static_cast<std::size_t>(s.peer)] + s.to.offset;
      a.count = s.count;
      return;
    }
    a.table = &scratch_.table();
    a.offset =
        scratch_.size(s.peer) / 2 * static_cast<std::size_t>(parity_) + s.to.offset * element_;
    a.count = s.count * element_;
  }

  /// Adds step i, or the whole chain that begins there; returns the next step's index.
  std::size_t add(std::size_t i) {
    const step& s = part_.steps[i];
    const bool moves = s.kind == step_kind::put || s.kind == step_kind::copy;
    if (moves && user_.pageable_in(s)) settle();
    action a;
    a.peer = s.peer;
    a.signal = s.signal;
    a.lag = s.lag;
    if (lanes_) a.lane = stream_lanes::of(s);
    switch (s.kind) {
      case step_kind::put: {
        std::size_t end = i + 1;
        while (end < part_.steps.size() && part_.steps[end].kind == step_kind::put &&
               part_.steps[end].chain == s.chain)
          ++end;
        // Lists add to counters; from a GPU that is slower than setting them, or needs the host.
        if (end - i > 1 && !plan_.cuda) return add_list(i, end);
        if (s.count != 0) {
          resolve_target(s, a);
          a.from = resolve(s.from);
        }
        break;
      }
      case step_kind::wait:
        a.what =
            plan_.cuda && plan_.host_work && folds_ ? action::kind::host_wait : action::kind::wait;
        break;
      case step_kind::copy:
        a.what = action::kind::copy;
        a.from = resolve(s.from);
        a.to = resolve(s.to);
        a.count = s.count * element_;
        break;
      case step_kind::reduce:
        if (plan_.cuda && plan_.host_work && !settled_) {
          settle();  // what was copied down must be there
          settled_ = true;
        }
        a.what = action::kind::fold;
        a.fold = {resolve(s.to), resolve(s.from), s.own_part >= 0 ? resolve(s.own) : nullptr,
                  s.own_part,    s.parts,         s.stride,
                  s.count};
        if (plan_.what.host_scratch() && !plan_.cuda) {
          // Its own operand, which nobody sends it, comes down while the others' are on their way.
          if (s.own_part >= 0 && s.own.in != buffer_id::scratch && parity_ == 0)
            plan_.fetches.push_back({a.fold.from, a.fold.own, s.count * element_});
          a.hand_back = s.to.in != buffer_id::scratch;
        }
        break;
      case step_kind::flush:
        a.what = action::kind::flush;
        if (plan_.cuda) return i + 1;  // a stream's own order suffices
        break;
    }
    into_->push_back(a);
    return i + 1;
  }

  std::size_t add_list(std::size_t first, std::size_t end) {
    auto list = plan_.r->make_put_list();
    for (std::size_t i = first; i < end; ++i) {
      const step& s = part_.steps[i];
      action a;
      if (s.count != 0) {
        resolve_target(s, a);
        a.from = resolve(s.from);
      } else {
        a.table = &scratch_.table();
      }
      const window<std::byte> to(a.table);
      const std::span data(static_cast<const std::byte*>(a.from), a.count);
      if (s.signal < 0)
        list.put(to, s.peer, a.offset, data);
      else
        list.put_signal(to, s.peer, a.offset, data,
                        plan_.signals[static_cast<std::size_t>(s.signal)]);
    }
    action a;
    a.what = action::kind::list;
    a.list = plan_.lists.size();
    plan_.lists.push_back(std::move(list));
    into_->push_back(a);
    return end;
  }

  collective_plan::state& plan_;
  const rank_schedule& part_;
  const plan_places& places_;
  const std::size_t element_;
  window<std::byte> scratch_;
  user_buffers user_;
  bool folds_ = false, settled_ = false;
  std::optional<stream_lanes> lanes_;
  int parity_ = 0;
  std::vector<action>* into_ = nullptr;
};

}  // namespace

void bind(collective_plan::state& plan, const rank_schedule& part, const plan_places& places) {
  binder(plan, part, places).run();
}

}  // namespace gossamer
