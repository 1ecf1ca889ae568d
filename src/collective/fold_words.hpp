// A reduction by the threads of a team, 16 bytes at a time where addresses and stride allow it:
// written once for kernels that do nothing else and for the steps of a program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/local_work.hpp"
#include "gossamer/collective/combine.hpp"

namespace gossamer::fold_detail {

template <class T, int N>
struct alignas(sizeof(T) * N) word {
  T x[N];
};

/// N elements at a time, two such in flight: a reduction waits for memory, not for sums. Team:
/// index() and size() of its threads.
template <class T, int N, class Team>
GOSSAMER_HD inline void fold_words(const Team& team, const fold_work& work, reduction op) {
  const std::size_t words = work.count / N, step = team.size();
  const auto operand = [&](int k) {
    return static_cast<const word<T, N>*>(
        k == work.own_part ? work.own
                           : static_cast<const void*>(static_cast<const T*>(work.from) +
                                                      static_cast<std::size_t>(k) * work.stride));
  };
  const auto add = [op](word<T, N>& sum, const word<T, N>& next) {
    for (int j = 0; j < N; ++j) sum.x[j] = combine(sum.x[j], next.x[j], op);
  };
  auto* to = static_cast<word<T, N>*>(work.to);
  std::size_t i = team.index();
  for (; i + step < words; i += 2 * step) {
    word<T, N> a = operand(0)[i], b = operand(0)[i + step];
    for (int k = 1; k < work.parts; ++k) {
      const word<T, N> next_a = operand(k)[i], next_b = operand(k)[i + step];
      add(a, next_a);
      add(b, next_b);
    }
    to[i] = a;
    to[i + step] = b;
  }
  if (i >= words) return;
  word<T, N> sum = operand(0)[i];
  for (int k = 1; k < work.parts; ++k) add(sum, operand(k)[i]);
  to[i] = sum;
}

/// Whether 16 bytes at a time are whole words of every operand.
template <class T>
GOSSAMER_HD inline bool wide(const fold_work& work) {
  constexpr std::size_t n = 16 / sizeof(T);
  const auto aligned = [](const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
  };
  return work.count % n == 0 && work.stride % n == 0 && aligned(work.to) && aligned(work.from) &&
         (work.own_part < 0 || aligned(work.own));
}

}  // namespace gossamer::fold_detail
