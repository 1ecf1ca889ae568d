// The expressions that are built in, as code of a key_operator. One kernel serves all of a width of
// keys: which type, update and expression is looked up for each arc, the same for all threads.
#pragma once

#include "algorithm/vertex_program/builtin.hpp"
#include "algorithm/vertex_program/cuda/key_operator.hpp"

namespace gossamer::program_detail::cuda {

template <class Key>
struct builtin_code {
  /// Integers of either kind take one way: a key is the value with some bits turned over, and the
  /// order of values is that of keys, or its reverse. A switch over types cost a sixth of a run.
  GOSSAMER_HD static Key propagate(const operator_terms& t, Key from, Key weight, std::int64_t) {
    if (!t.ordered) return sent_as_it_is(t, from, weight);
    return is_real(t) ? sent_real(t, from, weight) : sent_integer(t, from, weight);
  }
  GOSSAMER_HD static double priority(const operator_terms& t, Key at) {
    switch (static_cast<program_type>(t.type)) {
      case whole:
        return priority_of<signed_number>(at, t.larger);
      case natural:
        return priority_of<Key>(at, t.larger);
      default:
        return priority_of<real>(at, t.larger);
    }
  }
  GOSSAMER_HD static Key of_priority(const operator_terms& t, double priority) {
    switch (static_cast<program_type>(t.type)) {
      case whole:
        return to_key(static_cast<signed_number>(priority), false);
      case natural:
        return static_cast<Key>(priority);
      default:
        return to_key(static_cast<real>(priority), false);
    }
  }

 private:
  using signed_number = std::make_signed_t<Key>;
  using real = std::conditional_t<sizeof(Key) == 4, float, double>;

  static constexpr bool four_bytes = sizeof(Key) == 4;
  static constexpr program_type whole = four_bytes ? program_type::int32 : program_type::int64;
  static constexpr program_type natural = four_bytes ? program_type::uint32 : program_type::uint64;
  static constexpr program_type fraction =
      four_bytes ? program_type::float32 : program_type::float64;

  GOSSAMER_HD static bool is_real(const operator_terms& t) {
    return t.type == static_cast<std::int32_t>(fraction);
  }
  GOSSAMER_HD static Key sent_integer(const operator_terms& t, Key from, Key weight) {
    constexpr Key top = Key{1} << (8 * sizeof(Key) - 1);
    const Key sign = t.type == static_cast<std::int32_t>(whole) ? top : Key{0};
    const Key turned = t.larger ? static_cast<Key>(~sign) : sign;
    const Key value = from ^ turned, bound = weight ^ turned;
    switch (static_cast<form>(t.form)) {
      case plus_weight:
        return (value + weight) ^ turned;
      case plus_one:
        return (value + Key{1}) ^ turned;
      case smaller_of:
        return (bound < from) != t.larger ? bound : from;
      case larger_of:
        return (bound > from) != t.larger ? bound : from;
      case times_weight:
        return (value * weight) ^ turned;
      default:
        return from;
    }
  }
  GOSSAMER_HD static Key sent_as_it_is(const operator_terms& t, Key from, Key weight) {
    switch (static_cast<program_type>(t.type)) {
      case whole:
        return sent<signed_number>(t, from, weight);
      case natural:
        return sent<Key>(t, from, weight);
      default:
        return sent<real>(t, from, weight);
    }
  }
  template <class T>
  GOSSAMER_HD static Key sent(const operator_terms& t, Key from, Key weight) {
    return __builtin_bit_cast(Key,
                              sent_along(static_cast<form>(t.form), __builtin_bit_cast(T, from),
                                         __builtin_bit_cast(T, weight)));
  }
  GOSSAMER_HD static Key sent_real(const operator_terms& t, Key from, Key weight) {
    const real out = sent_along(static_cast<form>(t.form), from_key<real>(from, t.larger),
                                __builtin_bit_cast(real, weight));
    return to_key(out, t.larger);
  }
};

template <class Key>
using builtin_operator = key_operator<Key, builtin_code<Key>>;
template <class Key>
using builtin_bits = bits_operator<Key, builtin_code<Key>>;
using builtin_sum = sum_operator<builtin_code<std::uint64_t>>;

/// Explicit instantiations of its kernels, where `given_values` and namespace dataflow::cuda are.
#define GOSSAMER_PROGRAM_KERNELS(Operator, Key)                                      \
  template const void* list_kernel_of<Operator<Key>, no_weight, given_values>(bool); \
  template const void* list_kernel_of<Operator<Key>, Key, given_values>(bool);

}  // namespace gossamer::program_detail::cuda
