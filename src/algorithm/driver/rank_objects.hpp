// One object of each rank, on which all ranks' tasks perform operations. It holds a search's state,
// which is more than the vertex that a message is about.
//
//   rank_objects<forest> forests(g, mine);                   // on every rank
//   co_await forests.post(owner, join<Id>{u, v});            // join(forest&) there, later
//
// An operation's bytes travel, so it cannot hold a pointer. It holds the number of a global array
// with one element a rank, the pointer to that rank's object.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/task/global_tasks.hpp"

namespace gossamer::algorithm_detail {

/// `op(object)`, for the object of the rank where it runs. Where there is op.prefetch(object), the
/// owner calls it some messages earlier.
template <class Object, class Op>
struct on_object {
  std::uint16_t array;
  Op op;
  [[nodiscard]] Object& object(global_tasks& there) const {
    return *there.heap().element<Object*>(array, 0);
  }
  void prefetch(global_tasks& there) const requires requires(const Op& op, const Object& object) {
    op.prefetch(object);
  }
  { op.prefetch(object(there)); }
  decltype(auto) operator()(global_tasks& there) { return op(object(there)); }
};

template <class Object>
class rank_objects {
 public:
  /// Collective; `mine` must outlive the last operation.
  rank_objects(global_tasks& g, Object& mine)
      : g_(&g), array_(g.heap().allocate_owned<Object*>(1).begin().allocation()) {
    g.heap().element<Object*>(array_, 0) = &mine;
  }
  /// Bytes of native memory for the run's arena.
  [[nodiscard]] static std::int64_t bytes() { return global_heap::bytes(1, sizeof(Object*)); }

  template <class Op>
  [[nodiscard]] auto post(int to, Op op) const {
    return g_->post_on(to, on_object<Object, Op>{array_, op});
  }
  template <class Op>
  [[nodiscard]] auto call(int to, Op op) const {
    return g_->call_on(to, on_object<Object, Op>{array_, op});
  }
  [[nodiscard]] global_tasks& tasks() const noexcept { return *g_; }

 private:
  global_tasks* g_;
  std::uint16_t array_;
};

/// Defaults, with the name that errors say.
inline global_tasks_options named_tasks(std::string name) {
  global_tasks_options options;
  options.name = std::move(name);
  return options;
}

/// Bytes of native memory that a rank's tasks take, beside its arrays: messages, and what
/// alignment takes of a handful of allocations.
inline std::int64_t task_bytes(int ranks) {
  return global_tasks::bytes(ranks, {}) + 4096;
}

}  // namespace gossamer::algorithm_detail
