// Reductions by a CPU team. Folding goes through a small accumulator on the stack, so that operands
// far apart are each read in one sweep and the target may be one of them.
#include <algorithm>
#include <cstring>

#include "collective/run/local_work.hpp"
#include "collective/schedule/with_type.hpp"
#include "gossamer/collective/combine.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

namespace {

constexpr std::size_t piece = 1024;  ///< elements; 8 KiB fit the first-level cache twice

template <class T, reduction Op>
struct fold_pieces {
  fold_work work;
  std::size_t per_task = 0;  ///< elements

  [[nodiscard]] const T* operand(int k) const {
    return k == work.own_part
               ? static_cast<const T*>(work.own)
               : static_cast<const T*>(work.from) + static_cast<std::size_t>(k) * work.stride;
  }
  void operator()(std::int64_t task) const {
    const std::size_t first = static_cast<std::size_t>(task) * per_task;
    const std::size_t last = std::min(work.count, first + per_task);
    T sum[piece];
    for (std::size_t at = first; at < last; at += piece) {
      const std::size_t n = std::min(piece, last - at);
      std::memcpy(sum, operand(0) + at, n * sizeof(T));
      for (int k = 1; k < work.parts; ++k) {
        const T* x = operand(k) + at;
        for (std::size_t i = 0; i < n; ++i) sum[i] = combine(sum[i], x[i], Op);
      }
      std::memcpy(static_cast<T*>(work.to) + at, sum, n * sizeof(T));
    }
  }
};

template <class T, reduction Op>
void fold(const fold_work& work, int threads) {
  // A parallel region costs microseconds: only what takes longer is shared.
  const std::size_t tasks = work.count < 32 * piece ? 1 : static_cast<std::size_t>(threads);
  const std::size_t per_task = (work.count + tasks - 1) / tasks;
  for_each(cpu_team{threads}, static_cast<std::int64_t>(tasks), fold_pieces<T, Op>{work, per_task});
}

template <class T>
void fold(reduction op, const fold_work& work, int threads) {
  switch (op) {
    case reduction::sum:
      return fold<T, reduction::sum>(work, threads);
    case reduction::min:
      return fold<T, reduction::min>(work, threads);
    case reduction::max:
      return fold<T, reduction::max>(work, threads);
    case reduction::bit_or:
      return fold<T, reduction::bit_or>(work, threads);
  }
}

}  // namespace

void fold_on_cpu(element_type type, reduction op, const fold_work& work, int threads) {
  with_type(type, [&]<class T>(T) { fold<T>(op, work, threads); });
}

}  // namespace gossamer
