// A task for each list. Variants are coroutines of their own: what one does not need is not in its
// frame, nor a branch in its loop.
#include <vector>

#include "algorithm/pointer_chase/ways.hpp"
#include "gossamer/task/delay_line.hpp"
#include "gossamer/task/local_reference.hpp"

namespace gossamer::pointer_chase {

namespace {

/// The next node, on its way into the cache.
list_node* issued(const list_node* here) {
  const local_reference next(here->next);
  next.issue_read();
  return here->next;
}

task<> follow(list_node*& place, std::int64_t steps) {
  list_node* here = place;
  for (; steps > 0; --steps) {
    here = issued(here);
    co_await yield_now();
  }
  place = here;
}

task<> follow_late(list_node*& place, std::int64_t steps, delay_line& line) {
  list_node* here = place;
  for (; steps > 0; --steps) {
    here = issued(here);
    co_await line.pass();
  }
  place = here;
}

/// A task's own memory. Its words are changed a cache line apart, so that all of it is in use.
class working_set {
 public:
  explicit working_set(std::int64_t bytes) : words_(static_cast<std::size_t>(bytes) / 8) {}
  void update(std::int64_t times) noexcept {
    for (; times > 0; --times) {
      ++words_[at_];
      at_ += line_words;
      if (at_ >= words_.size()) at_ = (at_ + 1) % line_words;
    }
  }

 private:
  static constexpr std::size_t line_words = 8;
  std::vector<std::uint64_t> words_;
  std::size_t at_ = 0;
};

task<> follow_updating(list_node*& place, std::int64_t steps, working_set& set,
                       std::int64_t updates) {
  list_node* here = place;
  for (; steps > 0; --steps) {
    here = issued(here);
    co_await yield_now();
    set.update(updates);
  }
  place = here;
}

}  // namespace

void by_tasks(std::span<list_node*> at, std::int64_t steps, const chase_options& options) {
  scheduler s;
  if (options.delay.count() > 0) {
    delay_line line(s, options.delay, at.size());
    for (list_node*& place : at) s.spawn(follow_late(place, steps, line));
    s.run();
  } else if (options.working_set > 0) {
    std::vector<working_set> sets(at.size(), working_set(options.working_set));
    for (std::size_t i = 0; i < at.size(); ++i)
      s.spawn(follow_updating(at[i], steps, sets[i], options.updates));
    s.run();
  } else {
    for (list_node*& place : at) s.spawn(follow(place, steps));
    s.run();
  }
}

}  // namespace gossamer::pointer_chase
