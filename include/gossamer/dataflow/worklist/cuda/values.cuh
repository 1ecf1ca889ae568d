// Values of vertices on the device: read fresh or old, changed by an operator, exchanged between
// lanes. Also the marks that keep lists free of doubles.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gossamer/dataflow/worklist/cuda/view.hpp"
#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::dataflow::cuda {

/// A value of four or eight bytes as a word.
template <class Value>
using word_of = std::conditional_t<sizeof(Value) == 4, unsigned, unsigned long long>;

template <class Value>
__device__ inline word_of<Value> to_word(const Value& v) {
  static_assert((sizeof(Value) == 4 || sizeof(Value) == 8) && std::is_trivially_copyable_v<Value>);
  word_of<Value> word;
  memcpy(&word, &v, sizeof v);
  return word;
}
template <class Value>
__device__ inline Value from_word(word_of<Value> word) {
  Value v;
  memcpy(&v, &word, sizeof v);
  return v;
}
template <class Value>
__device__ inline word_of<Value>* word_at(Value* at) {
  return reinterpret_cast<word_of<Value>*>(at);
}

/// The value as it is in L2.
template <class Value>
__device__ inline word_of<Value> fresh_word(Value* at) {
  return device_detail::load_relaxed_on_device(word_at(at));
}
template <class Value>
__device__ inline Value fresh(Value* at) {
  return from_word<Value>(fresh_word(at));
}
/// The value as L1 may have kept it since the last meeting. It is not better than the present one,
/// so what does not improve it is of no use. Many arcs of a round ask for the same few hubs.
template <class Value>
__device__ inline Value maybe_stale(Value* at) {
  return from_word<Value>(device_detail::load_relaxed_in_block(word_at(at)));
}

/// Whether the value with the smaller word is the better one of two. Operators say so
/// (`smaller_word_wins`), and are spared a loop.
template <class Operator>
inline constexpr bool is_minimum = requires {
  requires Operator::smaller_word_wins;
};

/// Offers `incoming` to a vertex until that has changed its value (then `now`), or cannot any more.
/// Operators promise that values only ever improve, in whatever order.
template <class Operator>
__device__ inline bool improve(const Operator& by, typename Operator::value* at,
                               const typename Operator::value& incoming,
                               typename Operator::value& now) {
  using value = typename Operator::value;
  if constexpr (is_minimum<Operator>) {
    now = incoming;
    const word_of<value> word = to_word(incoming);
    return word < atomicMin(word_at(at), word);
  } else {
    word_of<value> seen = fresh_word(at);
    while (true) {
      now = from_word<value>(seen);
      if (!by.update(now, incoming)) return false;
      const word_of<value> before = atomicCAS(word_at(at), seen, to_word(now));
      if (before == seen) return true;
      seen = before;
    }
  }
}
/// The same for vertices that many ask for: looks before it asks for the atomic operation.
template <class Operator>
__device__ inline bool improve_after_look(const Operator& by, typename Operator::value* at,
                                          const typename Operator::value& incoming,
                                          typename Operator::value& now) {
  if constexpr (is_minimum<Operator>)
    if (!(to_word(incoming) < fresh_word(at))) return false;
  return improve(by, at, incoming, now);
}

/// The operator's callbacks, or what stands for them.
template <class Operator>
__device__ inline message_of<Operator> packed(const Operator& by, std::int32_t vertex,
                                              const typename Operator::value& v) {
  if constexpr (has_message<Operator>)
    return by.pack(vertex, v);
  else
    return v;
}
template <class Operator>
__device__ inline typename Operator::value unpacked(const Operator& by, std::int32_t vertex,
                                                    const message_of<Operator>& m) {
  if constexpr (has_message<Operator>)
    return by.unpack(vertex, m);
  else
    return m;
}
/// Of another rank's vertex, whose value has become `now`.
template <class Operator>
__device__ inline bool is_sent(const Operator& by, std::int32_t vertex,
                               const typename Operator::value& now) {
  if constexpr (has_on_send<Operator>)
    return by.on_send(vertex, now);
  else
    return true;
}
/// What was received changes an own value, then `now`, or does not.
template <class Operator>
__device__ inline bool receive(const Operator& by, std::int32_t vertex,
                               typename Operator::value* at,
                               const typename Operator::value& incoming,
                               typename Operator::value& now) {
  if constexpr (has_on_receive<Operator>) {
    word_of<typename Operator::value> seen = fresh_word(at);
    while (true) {
      now = from_word<typename Operator::value>(seen);
      if (!by.on_receive(vertex, now, incoming)) return false;
      const auto before = atomicCAS(word_at(at), seen, to_word(now));
      if (before == seen) return true;
      seen = before;
    }
  } else {
    return improve_after_look(by, at, incoming, now);
  }
}

/// Sets the vertex's mark; true if it was not set before.
__device__ inline bool mark(std::uint32_t* marks, std::int64_t vertex) {
  const std::uint32_t bit = 1u << (vertex & 31);
  return (atomicOr(marks + (vertex >> 5), bit) & bit) == 0;
}
__device__ inline void unmark(std::uint32_t* marks, std::int64_t vertex) {
  atomicAnd(marks + (vertex >> 5), ~(1u << (vertex & 31)));
}

/// Priorities as numbers for atomicMax, the larger the nearer; 0 is none.
__device__ inline unsigned long long nearness(double priority) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(priority));
  const unsigned long long ordered = (bits >> 63) != 0 ? ~bits : bits | 1ull << 63;
  return ~ordered;
}
__device__ inline double priority_of(unsigned long long nearness) {
  const unsigned long long ordered = ~nearness;
  const unsigned long long bits = (ordered >> 63) != 0 ? ordered & ~(1ull << 63) : ~ordered;
  return __longlong_as_double(static_cast<long long>(bits));
}

template <class Weight>
__device__ inline device_arc<Weight> load_arc(const device_arc<Weight>* at) {
  static_assert(sizeof(device_arc<Weight>) == 4 || sizeof(device_arc<Weight>) == 8 ||
                sizeof(device_arc<Weight>) == 16);
  device_arc<Weight> arc;
  if constexpr (sizeof arc == 16) {
    const int4 words = __ldg(reinterpret_cast<const int4*>(at));
    memcpy(&arc, &words, sizeof arc);
  } else if constexpr (sizeof arc == 8) {
    const int2 words = __ldg(reinterpret_cast<const int2*>(at));
    memcpy(&arc, &words, sizeof arc);
  } else {
    const int word = __ldg(reinterpret_cast<const int*>(at));
    memcpy(&arc, &word, sizeof arc);
  }
  return arc;
}

}  // namespace gossamer::dataflow::cuda
