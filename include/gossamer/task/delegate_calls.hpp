// What tasks of global_tasks await; included by its header alone.
#pragma once

#include <cstring>
#include <type_traits>

#include "gossamer/task/global_tasks.hpp"

namespace gossamer {
namespace delegated {

/// An operation as it came in a message.
template <class Op>
union received {
  explicit received(const std::byte* at) noexcept {
    std::memcpy(static_cast<void*>(&op), at, sizeof(Op));
  }
  Op op;
};

template <class Op>
constexpr std::size_t padded = (sizeof(Op) + 7) / 8 * 8;

/// Of the messages of Kind, which carry an Op and, with a reply, who asks.
template <class Kind, class Op, std::size_t Before = 0>
message_shape shape_of() {
  return {number_of<Kind>::value, static_cast<std::uint16_t>(Before + padded<Op>)};
}

/// An operation on one element, bound to where that is.
template <class T, class Op>
struct at_element {
  std::uint64_t place;  ///< the allocation in the upper 16 bits, the owner's element below
  [[no_unique_address]] Op op;
  [[nodiscard]] T& element(global_tasks& g) const {
    using address = global_address<T>;
    return g.heap().template element<T>(static_cast<std::uint16_t>(place >> address::index_bits),
                                        static_cast<std::int64_t>(place & address::index_mask));
  }
  void prefetch(global_tasks& g) const { __builtin_prefetch(&element(g), 1); }
  decltype(auto) operator()(global_tasks& g) { return op(element(g)); }
};

template <class T, class Op>
at_element<T, Op> bound(global_address<T> to, std::int64_t local, Op op) {
  return {(std::uint64_t{to.allocation()} << global_address<T>::index_bits) |
              static_cast<std::uint64_t>(local),
          op};
}

template <class Op>
struct sent {
  static_assert(std::is_trivially_copyable_v<Op>, "an operation's bytes travel: capture values");
  static_assert(std::is_class_v<Op>, "a function's address is another in another process");
  static_assert(sizeof(Op) <= largest_operation && alignof(Op) <= 8);
};

/// Keeps a task's function object alive until the task has ended.
template <class Op>
task<> kept(global_tasks& g, Op op) {
  co_await op(g);
}

// Messages without a reply: the operation.

/// Fetches what an operation touches, where it can say so; `Before`: bytes of the message before
/// it.
template <class Op, std::size_t Before>
struct fetched {};
template <class Op, std::size_t Before>
requires requires(const Op& op, global_tasks& g) {
  op.prefetch(g);
}
struct fetched<Op, Before> {
  static void prefetch(global_tasks& g, const std::byte* message) {
    received<Op> r(message + Before);
    r.op.prefetch(g);
  }
};

template <class Op>
struct posted : sent<Op>, fetched<Op, 0> {
  static void serve(global_tasks& g, int, std::span<const std::byte> message) {
    received<Op> r(message.data());
    g.run_detached([&] { r.op(g); });
  }
};

template <class Op>
struct spawned : sent<Op> {
  static void serve(global_tasks& g, int, std::span<const std::byte> message) {
    received<Op> r(message.data());
    g.run_detached([&] { g.local().spawn(kept(g, r.op)); });
  }
};

/// Awaited by who sends one. The request, which is several times as long, is made only where there
/// is no room: nearly always there is.
template <class Kind, class Op>
struct one_way {
  struct waiting : request {
    waiting(int rank, const Op& what) noexcept
        : request(sending, rank, shape_of<Kind, Op>(), &written), op(what) {}
    static void written(const request& r, std::byte* at) {
      std::memcpy(at, &static_cast<const waiting&>(r).op, sizeof(Op));
    }
    Op op;
  };
  static_assert(std::is_trivially_copyable_v<Op>);

  one_way(global_tasks& tasks, int rank, const Op& what) noexcept : g(tasks), to(rank), op(what) {}
  // Never copied once it waits.
  one_way(const one_way&) = delete;
  one_way& operator=(const one_way&) = delete;
  ~one_way() {}
  bool await_ready() {
    std::byte* at = g.out().append(to, shape_of<Kind, Op>());
    if (at == nullptr) [[unlikely]]
      return false;
    std::memcpy(at, &op, sizeof op);
    return true;
  }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
    // Nobody destroys it: what a request may own is a reply's error.
    auto& request = *new (&waits) waiting(to, op);
    g.wait_for_room(request);
    return g.local().suspend(request, h.promise());
  }
  void await_resume() const noexcept {}

  global_tasks& g;
  int to;
  Op op;
  union {
    waiting waits;
  };
};

// Messages with a reply: who asks, the operation.

/// Whose request a message is.
inline std::uint64_t token_of(std::span<const std::byte> message) {
  std::uint64_t token = 0;
  std::memcpy(&token, message.data(), sizeof token);
  return token;
}
constexpr std::size_t token_bytes = sizeof(std::uint64_t);

template <class Value>
std::span<const std::byte> bytes_of(const Value& v) {
  return std::as_bytes(std::span(&v, 1));
}

template <class Op>
struct called : sent<Op>, fetched<Op, token_bytes> {
  using result = std::invoke_result_t<Op&, global_tasks&>;
  static constexpr bool waits = false;
  static void serve(global_tasks& g, int from, std::span<const std::byte> message) {
    received<Op> r(message.data() + token_bytes);
    const std::uint64_t token = token_of(message);
    try {
      if constexpr (std::is_void_v<result>) {
        r.op(g);
        g.answer(from, token, {});
      } else {
        const result value = r.op(g);
        g.answer(from, token, bytes_of(value));
      }
    } catch (...) {
      g.answer_error(from, token);
    }
  }
};

template <class T>
struct result_of_task;
template <class T>
struct result_of_task<task<T>> {
  using type = T;
};

template <class Op>
struct called_task : sent<Op> {
  using result = typename result_of_task<std::invoke_result_t<Op&, global_tasks&>>::type;
  static constexpr bool waits = true;
  static task<> answered(global_tasks& g, int from, std::uint64_t token, Op op) {
    try {
      if constexpr (std::is_void_v<result>) {
        co_await op(g);
        g.answer(from, token, {});
      } else {
        const result value = co_await op(g);
        g.answer(from, token, bytes_of(value));
      }
    } catch (...) {
      g.answer_error(from, token);
    }
  }
  static void serve(global_tasks& g, int from, std::span<const std::byte> message) {
    received<Op> r(message.data() + token_bytes);
    g.local().spawn(answered(g, from, token_of(message), r.op));
  }
};

/// Room for a result that need not be default-constructible.
template <class Result>
union result_room {
  static_assert(std::is_trivially_copyable_v<Result> && sizeof(Result) <= largest_operation);
  result_room() noexcept {}
  Result value;
};
template <>
union result_room<void> {};

template <class Kind, class Op>
struct two_way : request {
  using result = typename Kind::result;
  static constexpr std::size_t value_bytes = [] {
    if constexpr (std::is_void_v<result>)
      return std::size_t{0};
    else
      return sizeof(result);
  }();

  two_way(global_tasks& tasks, int rank, Op what) noexcept
      : request(replying, rank, shape_of<Kind, Op, token_bytes>(), &written, &room, value_bytes),
        g(tasks),
        op(what) {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
    if (to != g.id()) {
      if (std::byte* at = g.out().append(to, shape))
        written(*this, at);
      else
        g.wait_for_room(*this);
    } else if constexpr (Kind::waits) {
      g.out().serve_here();  // what this task has posted comes first
      g.local().spawn(Kind::answered(g, to, token(*this), op));
    } else {
      if constexpr (requires { op.prefetch(g); }) op.prefetch(g);
      return g.local().yield(h.promise());
    }
    return g.local().suspend(*this, h.promise());
  }
  result await_resume() {
    if constexpr (!Kind::waits)
      if (to == g.id()) {
        g.out().serve_here();
        return op(g);
      }
    if (error != nullptr) std::rethrow_exception(error);
    if constexpr (!std::is_void_v<result>) return room.value;
  }
  static std::uint64_t token(const request& r) { return reinterpret_cast<std::uintptr_t>(&r); }
  static void written(const request& r, std::byte* at) {
    const std::uint64_t mine = token(r);
    const Op& op = static_cast<const two_way&>(r).op;
    std::memcpy(at, &mine, sizeof mine);
    std::memcpy(at + sizeof mine, &op, sizeof op);
  }
  global_tasks& g;
  Op op;
  result_room<result> room;
};

}  // namespace delegated

template <class Op>
auto global_tasks::post_on(int to, Op op) {
  check_rank(to);
  return delegated::one_way<delegated::posted<Op>, Op>(*this, to, op);
}
template <class Op>
auto global_tasks::spawn_on(int to, Op op) {
  check_rank(to);
  return delegated::one_way<delegated::spawned<Op>, Op>(*this, to, op);
}
template <class Op>
auto global_tasks::call_on(int to, Op op) {
  check_rank(to);
  return delegated::two_way<delegated::called<Op>, Op>(*this, to, op);
}
template <class Op>
auto global_tasks::call_task_on(int to, Op op) {
  check_rank(to);
  return delegated::two_way<delegated::called_task<Op>, Op>(*this, to, op);
}
template <class T, class Op>
auto global_tasks::post(global_address<T> to, Op op) {
  const auto [owner, local] = heap_.find(to);
  return post_on(owner, delegated::bound(to, local, op));
}
template <class T, class Op>
auto global_tasks::call(global_address<T> to, Op op) {
  const auto [owner, local] = heap_.find(to);
  return call_on(owner, delegated::bound(to, local, op));
}
template <class T, class Op>
auto global_tasks::call_task(global_address<T> to, Op op) {
  const auto [owner, local] = heap_.find(to);
  return call_task_on(owner, delegated::bound(to, local, op));
}

}  // namespace gossamer
