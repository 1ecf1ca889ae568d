// Signals and atomics on words in host memory, templates on the atomics policy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/atomics.hpp"
#include "gossamer/fabric/window.hpp"

namespace gossamer {

/// Release: everything this thread wrote before is visible to who acquires the new value.
template <class Atomics = std_atomics>
void raise_word(std::uint64_t& counter, std::uint64_t value, signal_op op) {
  if (op == signal_op::set)
    Atomics::store_release(counter, value);
  else
    Atomics::fetch_add(counter, value);
}

template <class Atomics = std_atomics>
std::uint64_t atomic_word(std::byte* address, int width, bool add, std::uint64_t a,
                          std::uint64_t b) {
  auto apply = [&](auto& word) -> std::uint64_t {
    using word_type = std::remove_reference_t<decltype(word)>;
    auto x = static_cast<word_type>(a), y = static_cast<word_type>(b);
    return add ? Atomics::fetch_add(word, x) : Atomics::compare_and_swap(word, x, y);
  };
  if (width == 4) return apply(*reinterpret_cast<std::uint32_t*>(address));
  return apply(*reinterpret_cast<std::uint64_t*>(address));
}

}  // namespace gossamer
