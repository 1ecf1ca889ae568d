// The ring of a delay line.
#include "gossamer/task/delay_line.hpp"

namespace gossamer {

delay_line::delay_line(scheduler& s, std::chrono::nanoseconds delay, std::size_t most)
    : s_(&s), delay_(delay), under_way_(most) {
  require(most > 0, "delay_line: room for one operation at least");
  s.add(*this);
}

std::coroutine_handle<> delay_line::issue(task_promise& running) {
  require(pending() < under_way_.size(), "delay_line: more operations than it was made for");
  under_way_[issued_++ % under_way_.size()] = {steady::now() + delay_, &running};
  return s_->set_aside();
}

void delay_line::poll() {
  if (pending() == 0) return;
  const auto now = steady::now();
  while (pending() > 0) {
    const operation& first = under_way_[completed_ % under_way_.size()];
    if (first.due > now) return;
    ++completed_;
    s_->ready(*first.task);
  }
}

}  // namespace gossamer
