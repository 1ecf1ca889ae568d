// The expressions that are built in, as code of a key_operator. One kernel serves all of a width of
// keys: which type, update and expression is looked up for each arc, the same for all threads.
#pragma once

#include "algorithm/compiled_program/builtin.hpp"
#include "algorithm/compiled_program/cuda/key_operator.hpp"

namespace gossamer::program_detail::cuda {

template <class Key>
struct builtin_code {
  GOSSAMER_HD static Key propagate(const operator_terms& t, Key from, Key weight, std::int64_t) {
    switch (static_cast<program_type>(t.type)) {
      case whole:
        return sent<signed_number>(t, from, weight);
      case natural:
        return sent<Key>(t, from, weight);
      default:
        return sent<real>(t, from, weight);
    }
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

 private:
  using signed_number = std::make_signed_t<Key>;
  using real = std::conditional_t<sizeof(Key) == 4, float, double>;

  static constexpr bool four_bytes = sizeof(Key) == 4;
  static constexpr program_type whole = four_bytes ? program_type::int32 : program_type::int64;
  static constexpr program_type natural = four_bytes ? program_type::uint32 : program_type::uint64;

  template <class T>
  GOSSAMER_HD static Key sent(const operator_terms& t, Key from, Key weight) {
    const T out = sent_along(static_cast<form>(t.form), from_key<T>(from, t.larger),
                             __builtin_bit_cast(T, weight));
    return to_key(out, t.larger);
  }
};

template <class Key>
using builtin_operator = key_operator<Key, builtin_code<Key>>;

}  // namespace gossamer::program_detail::cuda
