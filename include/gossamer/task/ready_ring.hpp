// The tasks that can run, as a ring of links inside their frames.
//
// The running task stays in the ring, so a yield stores one pointer and loads another: there is no
// queue to push to and pop from. Through a ring buffer of handles the same switch took twice as
// long, because its two indices and its slots are all written and read back within nanoseconds. The
// order is round robin, and what becomes ready joins at the end of the round.
#pragma once

namespace gossamer {

struct ready_link {
  ready_link* next = nullptr;
};

/// A circular list that knows the element before the running one.
class ready_ring {
 public:
  [[nodiscard]] bool empty() const noexcept { return before_ == nullptr; }
  /// Which one runs, or will first.
  [[nodiscard]] ready_link& running() const noexcept { return *before_->next; }
  [[nodiscard]] bool alone() const noexcept { return before_->next == before_; }

  /// At the end of the round.
  void insert(ready_link& it) noexcept {
    if (empty()) {
      it.next = &it;
    } else {
      it.next = before_->next;
      before_->next = &it;
    }
    before_ = &it;
  }
  /// `running` goes to the end of the round; the next one.
  ready_link& turn(ready_link& running) noexcept {
    before_ = &running;
    return *running.next;
  }
  /// The running one leaves.
  void remove_running() noexcept {
    if (alone())
      before_ = nullptr;
    else
      before_->next = running().next;
  }
  /// `it`, which is in no ring, takes the place of the running one.
  void replace_running(ready_link& it) noexcept {
    if (alone()) {
      it.next = &it;
      before_ = &it;
    } else {
      it.next = running().next;
      before_->next = &it;
    }
  }

 private:
  ready_link* before_ = nullptr;
};

}  // namespace gossamer
