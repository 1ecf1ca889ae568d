// Runs a bound plan: one action after the other, through the public interface of `rank` alone.
#include <cstring>

#include "collective/run/plan_state.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

bool collective_plan::state::would_block(const action& a) const {
  if (a.what == action::kind::host_wait) return true;
  if (a.what == action::kind::settle) return cuda && !on->idle();
  if (a.what != action::kind::wait || cuda) return false;
  const auto lag = static_cast<std::uint64_t>(a.lag);
  return epoch > lag && !r->test_signal(signals[static_cast<std::size_t>(a.signal)], epoch - lag);
}

void collective_plan::state::perform(const action& a) {
  const auto flag = [&] { return signals[static_cast<std::size_t>(a.signal)]; };
  const auto lag = static_cast<std::uint64_t>(a.lag);
  const stream* const here = stream_of(a);
  switch (a.what) {
    case action::kind::put:
      // Counts are in elements of the target's table, whatever that element is.
      if (a.table != nullptr)
        r->put(window<std::byte>(a.table), a.peer, a.offset,
               std::span(static_cast<const std::byte*>(a.from), a.count), here);
      if (a.signal >= 0) r->raise(flag(), a.peer, epoch, signal_op::set, here);
      break;
    case action::kind::list:
      lists[a.list].start(here);
      break;
    case action::kind::wait:
      if (epoch <= lag) break;
      r->wait_signal(flag(), epoch - lag, a.peer, here);
      charge_step(a);
      break;
    case action::kind::host_wait:
      if (epoch <= lag) break;
      r->wait_word(signals.table(), static_cast<std::size_t>(a.signal), epoch - lag, a.peer);
      charge_step(a);
      break;
    case action::kind::copy:
      if (cuda)
        copy_bytes(a.to, a.from, a.count, *here);
      else
        std::memcpy(a.to, a.from, a.count);
      r->charge_copy(a.to, a.from, a.count);
      break;
    case action::kind::fold: {
      if (cuda && !host_work)
        collective_gpu::fold(type, op, a.fold, *here);
      else
        fold_on_cpu(type, op, a.fold, r->dev().threads);
      const auto n = static_cast<double>(a.fold.count);
      r->charge(n * static_cast<double>(what.request().element) * (a.fold.parts + 1),
                n * (a.fold.parts - 1), host_work ? home::host : home::native);
      if (a.hand_back)
        r->charge_copy(a.fold.to, a.fold.from, a.fold.count * what.request().element);
      break;
    }
    case action::kind::flush:
      r->flush(a.peer);
      break;
    case action::kind::settle:
      r->synchronize(on);
      break;
    case action::kind::fork:
      forked.record(*on);
      for (const stream* lane : lanes) forked.block(*lane);
      break;
    case action::kind::join:
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        joined[i].record(*lanes[i]);
        joined[i].block(*on);
      }
      break;
  }
}

// Waits in a row are one step of the algorithm, and waits for credit are none.
void collective_plan::state::charge_step(const action& a) {
  const auto& todo = actions[epoch & 1];
  if (a.lag > 0) return;
  const bool again = next > 0 && todo[next - 1].what == a.what;
  r->charge(again ? software_cost::look : software_cost::step);
}

void collective_plan::state::advance(bool blocking) {
  const auto& todo = actions[epoch & 1];
  for (; next < todo.size(); ++next) {
    if (!blocking && would_block(todo[next])) return;
    perform(todo[next]);
  }
}

void collective_plan::start() {
  auto& s = *state_;
  require(!s.open, "start: the epoch before was not waited for");
  ++s.epoch;
  s.next = 0;
  s.open = true;
  s.r->charge(software_cost::call);
  for (const auto& f : s.fetches) s.r->charge_copy(f.to, f.from, f.bytes);
  if (s.library)
    s.library->enqueue(*s.on);
  else if (!s.one_kernel)
    s.advance(false);
  else if (s.hops)
    collective_gpu::run(s.type, s.op, *s.hops, s.r->guard(), *s.on);
  else if (s.cuda)
    collective_gpu::run(s.type, s.op, s.kernel, s.r->guard(), *s.on);
}

void collective_plan::wait() {
  auto& s = *state_;
  require(s.open, "wait: nothing was started");
  if (!s.one_kernel)
    s.advance(true);
  else if (!s.cuda)
    s.run_commands_here();
  // The caller may write its input again. In a stream that is so by order.
  if (!s.cuda)
    for (const int peer : s.readers) s.r->flush(peer);
  s.open = false;
}

collective_plan::collective_plan(std::unique_ptr<state> s) : state_(std::move(s)) {}
collective_plan::collective_plan(collective_plan&&) noexcept = default;
collective_plan& collective_plan::operator=(collective_plan&&) noexcept = default;
collective_plan::~collective_plan() = default;

const schedule& collective_plan::what() const {
  return state_->what;
}
std::uint64_t collective_plan::epochs() const {
  return state_->epoch;
}
plan_runner collective_plan::runner() const {
  return state_->one_kernel ? plan_runner::one_kernel : plan_runner::steps;
}

}  // namespace gossamer
