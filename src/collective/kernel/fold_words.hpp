// A reduction by the threads of a team, 16 bytes at a time where addresses and stride allow it:
// written once for kernels that do nothing else and for the steps of a command list.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/run/local_work.hpp"
#include "gossamer/collective/combine.hpp"

// Words stay in registers only where the loops over them are unrolled. nvcc does not do that by
// itself for four floats a word (96 bytes of local memory a thread); host compilers decide for
// themselves.
#ifdef __CUDACC__
#define GOSSAMER_UNROLL _Pragma("unroll")
#else
#define GOSSAMER_UNROLL
#endif

namespace gossamer::fold_detail {

template <class T, int N>
struct alignas(sizeof(T) * N) word {
  T x[N];
};

/// Words of every operand are N elements. A reduction waits for memory, not for sums. So eight
/// words of a thread are on their way before the first is used, as many as the registers of a
/// thread of a block of 1024 hold.
template <class T, int N>
struct operands {
  const fold_work& work;
  reduction op;

  GOSSAMER_HD const word<T, N>* operator()(int k) const {
    return static_cast<const word<T, N>*>(
        k == work.own_part ? work.own
                           : static_cast<const void*>(static_cast<const T*>(work.from) +
                                                      static_cast<std::size_t>(k) * work.stride));
  }
  GOSSAMER_HD void add(word<T, N>& sum, const word<T, N>& next) const {
    GOSSAMER_UNROLL
    for (int j = 0; j < N; ++j) sum.x[j] = combine(sum.x[j], next.x[j], op);
  }
  /// Adds operands k … k + Group - 1 of `Places` words, `step` apart.
  template <int Places, int Group>
  GOSSAMER_HD void add_some(word<T, N>* sum, int k, std::size_t i, std::size_t step) const {
    word<T, N> next[Group][Places];
    GOSSAMER_UNROLL
    for (int g = 0; g < Group; ++g) {
      GOSSAMER_UNROLL
      for (int j = 0; j < Places; ++j)
        next[g][j] = (*this)(k + g)[i + static_cast<std::size_t>(j) * step];
    }
    GOSSAMER_UNROLL
    for (int g = 0; g < Group; ++g) {
      GOSSAMER_UNROLL
      for (int j = 0; j < Places; ++j) add(sum[j], next[g][j]);
    }
  }
  /// After the first operand `Group` others at a time.
  template <int Places, int Group>
  GOSSAMER_HD void fold(std::size_t i, std::size_t step) const {
    word<T, N> sum[Places];
    GOSSAMER_UNROLL
    for (int j = 0; j < Places; ++j) sum[j] = (*this)(0)[i + static_cast<std::size_t>(j) * step];
    int k = 1;
    for (; k + Group <= work.parts; k += Group) add_some<Places, Group>(sum, k, i, step);
    if constexpr (Group > 1)
      for (; k < work.parts; ++k) add_some<Places, 1>(sum, k, i, step);
    auto* to = static_cast<word<T, N>*>(work.to);
    GOSSAMER_UNROLL
    for (int j = 0; j < Places; ++j) to[i + static_cast<std::size_t>(j) * step] = sum[j];
  }
};

/// Team: index() and size() of its threads.
template <class T, int N, class Team>
GOSSAMER_HD inline void fold_words(const Team& team, const fold_work& work, reduction op) {
  const operands<T, N> all{work, op};
  const std::size_t words = work.count / N, step = team.size();
  std::size_t i = team.index();
  if (work.parts == 2)
    for (; i + 3 * step < words; i += 4 * step) all.template fold<4, 1>(i, step);
  else if (work.parts == 3)
    for (; i + step < words; i += 2 * step) all.template fold<2, 2>(i, step);
  else
    for (; i + step < words; i += 2 * step) all.template fold<2, 3>(i, step);
  for (; i < words; i += step) all.template fold<1, 1>(i, step);
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

#undef GOSSAMER_UNROLL
