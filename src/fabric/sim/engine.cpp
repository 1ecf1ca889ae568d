// The scheduler: who runs next, and what happens before.
#include "fabric/sim/engine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "fabric/run_state.hpp"

namespace gossamer::sim {

namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20;
// Looks without effect after which ranks that only poll are called stuck.
constexpr std::uint64_t most_idle_polls = 100000;
// Sleepers look at deadlines, which are real time, this often while ranks only poll.
constexpr auto look_every = std::chrono::milliseconds(1);

}  // namespace

engine::engine(std::shared_ptr<const model::system> s, int ranks)
    : net_(std::move(s), ranks), ranks_(static_cast<std::size_t>(ranks)) {
  // A rank has one place at most: those who wake it, or are woken, need no memory for that.
  std::vector<place_in_queue> room;
  room.reserve(ranks_.size());
  ready_ = decltype(ready_)({}, std::move(room));
}

void engine::begin(run_state& run) {
  run_ = &run;
  net_.reset();
  while (!ready_.empty()) ready_.pop();
  arrivals_.clear();
  order_ = happened_ = idle_mark_ = idle_polls_ = 0;
  event_time_ = 0;
  told_ = false;
  for (auto& r : ranks_) {
    r.clock = 0;
    r.changes = r.seen = 0;
    r.is = status::done;
  }
}

void engine::end() {
  arrivals_.clear();  // what a failed run left on its way points into windows that go now
  net_.reset();
  run_ = nullptr;
}

bool engine::aborted() const {
  return run_ != nullptr && run_->aborted();
}

void engine::rethrow(int rank) const {
  run_->rethrow_abort(rank);
}

void engine::run(const std::function<void(int)>& job) {
  for (auto& r : ranks_)
    if (r.stack == nullptr) r.stack = std::make_unique<fiber>(stack_bytes);
  // What has been started must be run to its end. So nothing below takes memory: std::function
  // keeps two words within itself.
  job_ = &job;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    ranks_[r].stack->start([this, r] {
      (*job_)(static_cast<int>(r));
      ++happened_;
      ranks_[r].is = status::done;
    });
    make_ready(static_cast<int>(r));
  }
  schedule();
}

void engine::make_ready(int rank) {
  auto& r = ranks_[static_cast<std::size_t>(rank)];
  r.is = status::ready;
  r.queued = ++order_;
  ready_.push({r.clock, r.queued, rank});
}

void engine::schedule() {
  for (;;) {
    if (aborted() && !told_) {
      told_ = true;
      release_all(moment::look);
    }
    const double event = net_.next();
    if (!ready_.empty() && ready_.top().clock < event) {
      const int rank = ready_.top().rank;
      ready_.pop();
      auto& r = ranks_[static_cast<std::size_t>(rank)];
      r.is = status::running;
      r.stack->resume();
      continue;
    }
    if (event < std::numeric_limits<double>::infinity()) {
      try {
        handle_event();
      } catch (...) {  // no rank's own: all of them end, and leave their stacks
        run_->fail(-1, std::current_exception());
      }
      continue;
    }
    const bool over = std::all_of(ranks_.begin(), ranks_.end(),
                                  [](const per_rank& r) { return r.is == status::done; });
    if (over) return;
    // Ranks sleep, and nothing is left that could wake them. One says so; that ends the others.
    auto& r = ranks_[static_cast<std::size_t>(most_telling())];
    r.why = aborted() ? moment::look : moment::stuck;
    make_ready(static_cast<int>(&r - ranks_.data()));
  }
}

// The sleeper to report a deadlock: one that waits for a rank which has ended, if there is one.
int engine::most_telling() const {
  int first = -1;
  for (int i = 0; i < static_cast<int>(ranks_.size()); ++i) {
    if (ranks_[static_cast<std::size_t>(i)].is != status::waiting) continue;
    const int whom = run_->resources->boards[i].waits_for - 2;
    if (whom >= 0 && ranks_[static_cast<std::size_t>(whom)].is == status::done) return i;
    if (first < 0) first = i;
  }
  return first;
}

void engine::release_all(moment why) {
  for (int i = 0; i < static_cast<int>(ranks_.size()); ++i) {
    auto& r = ranks_[static_cast<std::size_t>(i)];
    if (r.is != status::waiting) continue;
    r.why = why;
    make_ready(i);
  }
}

void engine::handle_event() {
  ++happened_;
  event_time_ = net_.next();
  const auto arrived = net_.advance();
  if (!arrived) return;
  // A send that threw, for want of memory, has nothing to do here.
  std::function<void()> then;
  if (*arrived < arrivals_.size()) then = std::exchange(arrivals_[*arrived], nullptr);
  net_.forget(*arrived);
  if (then && !aborted()) then();  // else whoever waited for it may have unwound
}

// The running rank waits for its place in the queue.
void engine::give_way(int rank) {
  make_ready(rank);
  ranks_[static_cast<std::size_t>(rank)].stack->suspend();
}

void engine::turn(int rank) {
  auto& mine = ranks_[static_cast<std::size_t>(rank)];
  for (;;) {
    // The earlier of the two first: a rank must not see what happens after its clock.
    const double event = net_.next();
    if (!ready_.empty() && ready_.top().clock < std::min(event, mine.clock))
      give_way(rank);
    else if (event <= mine.clock)
      handle_event();  // in this fiber: it only changes memory and queues
    else
      return;
    // Ranks that are told of an abort have nothing to wait for.
    if (aborted()) return;
  }
}

void engine::wake(int rank, double time) {
  auto& r = ranks_[static_cast<std::size_t>(rank)];
  ++r.changes;
  if (r.is != status::waiting) return;
  r.clock = std::max(r.clock, time);
  r.why = moment::poll;
  make_ready(rank);
}

void engine::wake_all(int rank) {
  ++happened_;
  const double time = now(rank);
  for (int i = 0; i < static_cast<int>(ranks_.size()); ++i)
    if (i != rank) wake(i, time);
}

moment engine::wait(int rank) {
  auto& mine = ranks_[static_cast<std::size_t>(rank)];
  if (aborted()) return moment::look;
  turn(rank);
  if (aborted()) return moment::look;
  if (mine.changes == mine.seen) {
    mine.is = status::waiting;
    mine.stack->suspend();
  } else {
    mine.why = moment::poll;
  }
  mine.seen = mine.changes;
  return mine.why;
}

void engine::wait_for(int rank, const std::function<bool()>& done) {
  while (!done()) {
    const moment m = wait(rank);
    if (m != moment::poll && aborted()) run_->rethrow_abort(rank);
  }
}

moment engine::idle(int rank, bool alive) {
  auto& mine = ranks_[static_cast<std::size_t>(rank)];
  if (aborted()) return moment::look;
  const bool nothing_new = happened_ == idle_mark_;
  idle_polls_ = nothing_new && !alive ? idle_polls_ + 1 : 0;
  if (nothing_new || alive) {
    const auto real = std::chrono::steady_clock::now();
    if (real - looked_ >= look_every) {
      looked_ = real;
      release_all(moment::look);
    }
  }
  double next = net_.next();
  if (!ready_.empty()) next = std::min(next, ready_.top().clock);
  mine.clock += net_.what().software.poll;
  if (next < std::numeric_limits<double>::infinity()) mine.clock = std::max(mine.clock, next);
  idle_mark_ = happened_;
  give_way(rank);
  return idle_polls_ > most_idle_polls ? moment::stuck : moment::poll;
}

void engine::send(int rank, int from, int to, const model::transfer_kind& kind, std::size_t bytes,
                  bool first_of_chain, std::function<void()> arrived) {
  turn(rank);
  if (aborted()) return;
  if (first_of_chain) spend(rank, kind.start);
  start(now(rank), from, to, kind, bytes, first_of_chain, std::move(arrived));
  if (kind.by == model::mover::processor) spend(rank, static_cast<double>(bytes) / kind.bandwidth);
}

void engine::answer(int from, int to, const model::transfer_kind& kind, std::size_t bytes,
                    std::function<void()> arrived) {
  start(event_time_ + kind.start, from, to, kind, bytes, true, std::move(arrived));
}

void engine::start(double time, int from, int to, const model::transfer_kind& kind,
                   std::size_t bytes, bool first_of_chain, std::function<void()> arrived) {
  ++happened_;
  const auto id = net_.inject(time, from, to, kind, bytes, first_of_chain);
  if (arrivals_.size() <= id) arrivals_.resize(id + 1);
  arrivals_[id] = std::move(arrived);
}

}  // namespace gossamer::sim
