// global_tasks: one rank's tasks, which use the memory of all ranks as if it were one.
//
//   m.run([&](gossamer::rank& r) {
//     gossamer::global_tasks g(r);                                       // on every rank
//     auto table = g.heap().allocate<std::int64_t>(n, 512);
//     g.run(count(g, table));                                            // until all have ended
//   });
//
//   task<> count(global_tasks& g, global_array<std::int64_t> table) {
//     co_await g.post(table[i], [](std::int64_t& x) { ++x; });           // at the owner; no reply
//     auto x = co_await g.call(table[j], [](std::int64_t& x) { return x; });
//     co_await g.spawn_on(2, [=](global_tasks& there) { return count(there, …); });
//   }
//
// The rank that owns the data runs the operations on it, on its one core, one after the other and
// not interrupted. So no atomic operation is needed, neither for others' operations nor for its own
// tasks, which change their own elements directly. A task that waits for a reply leaves the core to
// the others. All messages, also those to this rank itself, are aggregated (aggregator.hpp) and
// carried by a memory manager (memory_manager.hpp).
//
// Messages of one task to one rank are served in the order in which it sent them. Nothing else is
// ordered.
//
// run() ends, on all ranks together, when no rank has a task that can go on and no message is under
// way: termination.hpp's counts, of messages. A message counts as created before its parcel leaves.
// It counts as finished when its rank has, after serving it, run out of tasks that can go on; by
// then all messages that it led to count as created. If tasks are left waiting then, every rank
// throws deadlock_error, which says who waits for what on which rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/task/aggregator.hpp"
#include "gossamer/task/delegate.hpp"
#include "gossamer/task/global_heap.hpp"
#include "gossamer/task/scheduler.hpp"

namespace gossamer {

struct global_tasks_options {
  aggregator_options messages;
  std::uint64_t seed = 0;             ///< of the scheduler
  std::string name = "global tasks";  ///< what errors call the whole
  /// Collective: makes the memory manager of a rank.
  std::function<std::unique_ptr<memory_manager>(rank&, const std::string&, const parcel_limits&)>
      manager = make_polled_manager;
};

class global_tasks : completion_source, parcel_server {
 public:
  /// Collective, inside a run, on CPU and modelled ranks. usage_error where ranks run different
  /// programs.
  explicit global_tasks(rank& r, global_tasks_options options = {});
  ~global_tasks() override;
  global_tasks(const global_tasks&) = delete;
  global_tasks& operator=(const global_tasks&) = delete;
  /// Bytes of native memory for the run's arena, beside the heap's; of the polled manager.
  [[nodiscard]] static std::int64_t bytes(int ranks, const global_tasks_options& options);

  [[nodiscard]] int id() const noexcept { return rank_->id(); }
  [[nodiscard]] int size() const noexcept { return rank_->size(); }
  [[nodiscard]] rank& where() const noexcept { return *rank_; }
  [[nodiscard]] scheduler& local() noexcept { return scheduler_; }
  [[nodiscard]] global_heap& heap() noexcept { return heap_; }

  /// Collective: runs `main` on every rank, and everything that it leads to anywhere. Throws what a
  /// task or a posted operation of this rank threw, else deadlock_error if tasks are left waiting
  /// on any rank. May be called again, unless it threw.
  void run(task<> main);

  // --- awaited by tasks of this rank; usage_error for a rank or an address that there is not ----

  /// op(element) at the owner, later, also where this rank is it. What it throws comes out of the
  /// owner's run().
  template <class T, class Op>
  [[nodiscard]] auto post(global_address<T> to, Op op);
  /// What op(element) returned or threw at the owner; a foreign exception comes as rank_error with
  /// its text. Gives the others a turn also where this rank is the owner.
  template <class T, class Op>
  [[nodiscard]] auto call(global_address<T> to, Op op);
  /// The same with an operation that is itself a task, which may wait at the owner: op(element).
  template <class T, class Op>
  [[nodiscard]] auto call_task(global_address<T> to, Op op);

  /// The same on a rank: op(global_tasks& there). Where there is op.prefetch(there), a message's
  /// owner calls it some messages before it serves this one.
  template <class Op>
  [[nodiscard]] auto post_on(int to, Op op);
  template <class Op>
  [[nodiscard]] auto call_on(int to, Op op);
  template <class Op>
  [[nodiscard]] auto call_task_on(int to, Op op);
  /// Begins the task op(global_tasks& there) on a rank; run() waits for it.
  template <class Op>
  [[nodiscard]] auto spawn_on(int to, Op op);

  [[nodiscard]] const aggregator_counters& counters() const noexcept { return out_->counters(); }
  /// Operations that this rank has performed for others, replies that it got included.
  [[nodiscard]] std::uint64_t served() const noexcept { return served_; }

  // For requests and handlers.
  [[nodiscard]] aggregator& out() noexcept { return *out_; }
  /// Throws usage_error unless there is a rank `to`.
  void check_rank(int to) const {
    if (to < 0 || to >= rank_->size()) [[unlikely]]
      no_such_rank(to);
  }
  void wait_for_room(delegated::request& r) noexcept;
  /// Ends the wait of the request `token` of rank `to`.
  void answer(int to, std::uint64_t token, std::span<const std::byte> value);
  /// The same with the exception that is being handled.
  void answer_error(int to, std::uint64_t token);
  /// Runs what nobody waits for; what it throws comes out of run().
  template <class Work>
  void run_detached(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      auto& error = scheduler_.detached().error;
      if (error == nullptr) error = std::current_exception();
    }
  }

 private:
  friend struct reply;
  [[noreturn]] void no_such_rank(int to) const;
  void poll() override;
  bool idle() override;
  [[nodiscard]] std::size_t pending() const noexcept override { return ended_ ? 0 : 1; }
  void serve(int from, std::span<const std::byte> parcel) override;
  bool admit();
  void send_reply(int to, std::uint64_t token, bool failed, std::span<const std::byte> data);
  void take_reply(int from, std::uint64_t token, bool failed, std::span<const std::byte> data);
  [[noreturn]] void deadlocked(const std::string& here);

  rank* rank_;
  global_tasks_options options_;
  global_heap heap_;
  std::unique_ptr<memory_manager> manager_;
  std::unique_ptr<aggregator> out_;
  std::vector<waiter_queue> rooms_;  ///< by destination: requests that were refused
  std::size_t refused_ = 0;          ///< in rooms_
  std::uint64_t served_ = 0, runs_ = 0;
  bool ended_ = true;     ///< no run, or its end is known
  bool resting_ = false;  ///< idle() came after the last work
  scheduler scheduler_;   ///< destroyed first: its tasks use the rest
};

}  // namespace gossamer

#include "gossamer/task/delegate_calls.hpp"  // IWYU pragma: keep
