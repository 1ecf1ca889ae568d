// Sums in blocks of rows that threads take as they are free. Block sums are added in order, so that
// results do not depend on the number of threads.
#include "algorithm/pagerank/sync/rows.hpp"
#include "gossamer/machine/executor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gossamer::pagerank_detail {

namespace {

/// Four sums at a time: additions of one sum wait for each other, and gathers would wait with them.
template <bool Weighted, class Id, class Value>
double row_sum(const Id* columns, const Value* weights, edge_offset count, const Value* offered) {
  double a = 0, b = 0, c = 0, d = 0;
  edge_offset k = 0;
  const auto at = [&](edge_offset i) {
    const auto value = static_cast<double>(offered[columns[i]]);
    if constexpr (Weighted)
      return value * static_cast<double>(weights[i]);
    else
      return value;
  };
  for (; k + 4 <= count; k += 4) {
    a += at(k);
    b += at(k + 1);
    c += at(k + 2);
    d += at(k + 3);
  }
  for (; k < count; ++k) a += at(k);
  return (a + b) + (c + d);
}

template <bool Weighted, bool Over, class Id, class Value>
pull_sums pull_block(const pull_rows<Id, Value>& rows, const step<Value>& of, std::int64_t begin,
                     std::int64_t end, const Value* ranks, Value* next) {
  pull_sums sums;
  const step<Value> s = of;  // not in memory that ranks might share
  const edge_offset* offsets = rows.offsets;
  const Id* columns = rows.columns;
  const Value* weights = rows.weights;
  const std::int64_t first = rows.first;
  const auto write = [&](std::int64_t own, double arrives, double jump) {
    auto becomes =
        static_cast<Value>(s.damping * (arrives + s.dangling * jump) + (1 - s.damping) * jump);
    sums.change += std::abs(static_cast<double>(becomes) - static_cast<double>(ranks[own]));
    if constexpr (Over) {
      const auto before = static_cast<double>(next[own]);
      becomes = static_cast<Value>(before + s.over * (static_cast<double>(becomes) - before));
      sums.negative |= becomes < 0;
    }
    const Value inverse = s.inverse_weight[own];
    next[own] = becomes;
    if (s.offer != nullptr) s.offer[own] = becomes * inverse;
    if (inverse == 0) sums.dangling += static_cast<double>(becomes);
  };
  edge_offset k = offsets[begin];
  for (std::int64_t v = begin; v < end; ++v) {
    const edge_offset after = offsets[v + 1];
    const double arrives =
        row_sum<Weighted>(columns + k, Weighted ? weights + k : nullptr, after - k, s.offered);
    write(v - first, arrives, s.jumps != nullptr ? s.jumps[v] : s.uniform);
    k = after;
  }
  return sums;
}

}  // namespace

template <class Id, class Value>
pull_sums pull(const pull_rows<Id, Value>& rows, const step<Value>& s, const Value* ranks,
               Value* next) {
  const std::int64_t own = rows.last - rows.first, blocks = (own + block - 1) / block;
  std::vector<pull_sums> parts(static_cast<std::size_t>(blocks));
  for_pieces({rows.threads}, own, block, [&](std::int64_t from, std::int64_t to) {
    const std::int64_t begin = rows.first + from, end = rows.first + to;
    parts[static_cast<std::size_t>(from / block)] =
        rows.weights != nullptr ? pull_block<true, false>(rows, s, begin, end, ranks, next)
        : s.over > 1            ? pull_block<false, true>(rows, s, begin, end, ranks, next)
                                : pull_block<false, false>(rows, s, begin, end, ranks, next);
  });
  pull_sums all;
  for (const pull_sums& p : parts) {
    all.change += p.change;
    all.dangling += p.dangling;
    all.negative |= p.negative;
  }
  return all;
}

template <class Value>
double offer(std::int64_t own, int threads, const Value* ranks, const Value* inverse_weight,
             Value* offered) {
  std::vector<double> parts(static_cast<std::size_t>((own + block - 1) / block));
  for_pieces({threads}, own, block, [&](std::int64_t first, std::int64_t last) {
    double dangling = 0;
    for (std::int64_t i = first; i < last; ++i) {
      offered[i] = ranks[i] * inverse_weight[i];
      if (inverse_weight[i] == 0) dangling += static_cast<double>(ranks[i]);
    }
    parts[static_cast<std::size_t>(first / block)] = dangling;
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

namespace {

template <bool Weighted, class Id, class Value>
sweep_sums sweep_piece(const pull_rows<Id, Value>& rows, const step<Value>& of, std::int64_t begin,
                       std::int64_t end, Value* ranks, Value* before) {
  sweep_sums sums;
  const step<Value> s = of;
  const edge_offset* offsets = rows.offsets;
  const Id* columns = rows.columns;
  edge_offset k = offsets[begin];
  for (std::int64_t v = begin; v < end; ++v) {
    const edge_offset after = offsets[v + 1];
    const double arrives =
        row_sum<Weighted>(columns + k, Weighted ? rows.weights + k : nullptr, after - k, s.offered);
    k = after;
    const double jump = s.jumps != nullptr ? s.jumps[v] : s.uniform;
    const auto becomes = static_cast<Value>(s.damping * arrives + (1 - s.damping) * jump);
    const Value was = ranks[v], inverse = s.inverse_weight[v];
    if (inverse > 0)
      sums.change += std::abs(static_cast<double>(becomes) - static_cast<double>(was));
    sums.all += static_cast<double>(becomes);
    if (before != nullptr) before[v] = was;
    ranks[v] = becomes;
    s.offer[v] = becomes * inverse;
  }
  return sums;
}

}  // namespace

template <class Id, class Value>
sweep_sums sweep(const pull_rows<Id, Value>& rows, const step<Value>& s, const sweep_pieces& pieces,
                 Value* ranks, Value* before, Value* seen) {
  std::array<sweep_sums, sweep_pieces::of_all> parts;
  const auto for_ranges = [&](std::int64_t stage, const auto& f) {
    for_pieces({rows.threads}, sweep_pieces::ranges, 1, [&](std::int64_t range, std::int64_t) {
      const auto p = static_cast<std::size_t>(range * sweep_pieces::stages + stage);
      f(p, pieces.first[p], pieces.first[p + 1]);
    });
  };
  for (std::int64_t stage = 0; stage < sweep_pieces::stages; ++stage) {
    for_ranges(stage, [&](std::size_t p, std::int64_t begin, std::int64_t end) {
      parts[p] = rows.weights != nullptr ? sweep_piece<true>(rows, s, begin, end, ranks, before)
                                         : sweep_piece<false>(rows, s, begin, end, ranks, before);
    });
    for_ranges(stage, [&](std::size_t, std::int64_t begin, std::int64_t end) {
      std::copy(s.offer + begin, s.offer + end, seen + begin);
    });
  }
  sweep_sums sums;
  for (const sweep_sums& p : parts) {
    sums.change += p.change;
    sums.all += p.all;
  }
  return sums;
}

template <class Value>
void extrapolate(std::int64_t own, int threads, const step<Value>& s, double by,
                 const Value* before, Value* ranks) {
  for_pieces({threads}, own, block, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) {
      const double jump = s.jumps != nullptr ? s.jumps[i] : s.uniform;
      const auto now = static_cast<double>(ranks[i]);
      ranks[i] = static_cast<Value>(
          std::max((1 - s.damping) * jump, now + by * (now - static_cast<double>(before[i]))));
    }
  });
}

template <class Value>
void begin_with(const first_ranks& first, std::int64_t own, int threads,
                const Value* inverse_weight, Value* ranks) {
  for_pieces({threads}, own, block, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) {
      const auto inverse = static_cast<double>(inverse_weight[i]);
      ranks[i] = static_cast<Value>(first.even + (inverse > 0 ? first.arc / inverse : 0));
    }
  });
}

template pull_sums pull(const pull_rows<vertex32, float>&, const step<float>&, const float*,
                        float*);
template pull_sums pull(const pull_rows<vertex32, double>&, const step<double>&, const double*,
                        double*);
template pull_sums pull(const pull_rows<vertex64, float>&, const step<float>&, const float*,
                        float*);
template pull_sums pull(const pull_rows<vertex64, double>&, const step<double>&, const double*,
                        double*);
#define GOSSAMER_SWEEP(Id, Value)                                                                 \
  template sweep_sums sweep(const pull_rows<Id, Value>&, const step<Value>&, const sweep_pieces&, \
                            Value*, Value*, Value*);
GOSSAMER_SWEEP(vertex32, float)
GOSSAMER_SWEEP(vertex32, double)
GOSSAMER_SWEEP(vertex64, float)
GOSSAMER_SWEEP(vertex64, double)
#undef GOSSAMER_SWEEP
template void extrapolate(std::int64_t, int, const step<float>&, double, const float*, float*);
template void extrapolate(std::int64_t, int, const step<double>&, double, const double*, double*);
template double offer(std::int64_t, int, const float*, const float*, float*);
template double offer(std::int64_t, int, const double*, const double*, double*);
template void begin_with(const first_ranks&, std::int64_t, int, const float*, float*);
template void begin_with(const first_ranks&, std::int64_t, int, const double*, double*);

}  // namespace gossamer::pagerank_detail
