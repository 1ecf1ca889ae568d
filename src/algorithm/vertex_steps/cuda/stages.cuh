// How a GPU runs a program of steps: one kernel, whose blocks meet behind every stage and go where
// the program leads, without the host. NVRTC has this file as text, behind arithmetic.hpp.
//
// Stages are as on CPUs (../stages.hpp). Long rows are cut into chunks for gathers and pushes
// alike. The rest of a gather takes rows by length. The rest of a push takes 32 vertices a warp,
// whose arcs the lanes share. What is reported is added up in an order that does not change. With
// several ranks, the last block of each to arrive tells the others' last blocks what its rank
// reports, and all of them work out the same numbers.
#pragma once

#include "algorithm/vertex_steps/cuda/view.hpp"
#include "gossamer/fabric/wait_device.cuh"

namespace gs {

using namespace gossamer::steps_detail;
using view = gpu_step_view;

/// What the program's text defines below.
GS_FN void run_stage(int stage, const view& g, step_word* out);
GS_FN void start(int stage, step_word* all);
GS_FN void join(int stage, step_word* all, const step_word* more);
GS_FN int next(int stage, const step_word* all, step_word* numbers);
GS_FN bool reports(int stage);

constexpr unsigned all_lanes = ~0u;
constexpr int room = GS_WORDS > 0 ? GS_WORDS : 1;

GS_FN int lane() {
  return int(threadIdx.x & 31);
}
GS_FN long long warp() {
  return (long long)(blockIdx.x) * (step_threads / 32) + (threadIdx.x >> 5);
}
GS_FN long long warps() {
  return (long long)(gridDim.x) * (step_threads / 32);
}

template <class T>
GS_FN T* array(const view& g, int which) {
  return static_cast<T*>(g.arrays[which]);
}
GS_FN long long degree(const view& g, long long v) {
  return g.rows[0].offsets[v - g.first + 1] - g.rows[0].offsets[v - g.first];
}
/// To every copy of an array, where gathers of rows of `way` look for it; way 2: by id.
template <class T, int way>
GS_FN void spread(const view& g, int which, long long v, T value) {
  long long at = v;
  if constexpr (way < 2)
    if (g.shares[way].position != nullptr) at = __ldg(g.shares[way].position + (v - g.first));
  if constexpr (GS_LONE) {
    array<T>(g, which)[at] = value;
  } else {
    for (int r = 0; r < g.ranks; ++r)
      static_cast<T*>(g.everywhere[r * g.arrays_count + which])[at] = value;
  }
}
/// Where a vertex's element is: at its owner.
template <class T>
GS_FN T* place(const view& g, int which, long long u) {
  if constexpr (GS_LONE) {
    return array<T>(g, which) + u;
  } else {
    int r = 0;
    while (u >= g.bounds[r + 1]) ++r;
    return static_cast<T*>(g.everywhere[r * g.arrays_count + which]) + u;
  }
}

/// Any value that lanes exchange.
template <class T>
GS_FN T down(T value, int by) {
  if constexpr (sizeof(T) == 1)
    return T(__shfl_down_sync(all_lanes, int(value), by));
  else
    return __shfl_down_sync(all_lanes, value, by);
}

enum how_to_join { joins_sum, joins_min, joins_max, joins_or, joins_any };

template <class S, class Bits>
GS_FN void join_bits(typename S::value* at, typename S::value value) {
  union word {
    typename S::value value;
    Bits bits;
  };
  word before, after;
  before.bits = *reinterpret_cast<volatile Bits*>(at);
  while (true) {
    after.value = S::join(before.value, value);
    if (after.bits == before.bits) return;
    const Bits seen = GS_LONE
                          ? atomicCAS(reinterpret_cast<Bits*>(at), before.bits, after.bits)
                          : atomicCAS_system(reinterpret_cast<Bits*>(at), before.bits, after.bits);
    if (seen == before.bits) return;
    before.bits = seen;
  }
}

/// `at` becomes what it and `value` make together, whoever else does that.
template <class S>
GS_FN void join_shared(typename S::value* at, typename S::value value) {
  using T = typename S::value;
  if constexpr (S::how == joins_any) {
    if (value) *reinterpret_cast<volatile unsigned char*>(at) = 1;
  } else if constexpr (S::how == joins_sum && gs_has_fractions<T>) {
    GS_LONE ? atomicAdd(at, value) : atomicAdd_system(at, value);
  } else if constexpr (S::how == joins_sum) {
    auto* const bits = reinterpret_cast<typename gs_bits<sizeof(T)>::type*>(at);
    const auto more = typename gs_bits<sizeof(T)>::type(value);
    GS_LONE ? atomicAdd(bits, more) : atomicAdd_system(bits, more);
  } else if constexpr (gs_has_fractions<T>) {
    join_bits<S, typename gs_bits<sizeof(T)>::type>(at, value);
  } else {
    const T before = *reinterpret_cast<volatile T*>(at);  // most messages improve nothing
    if (S::join(before, value) == before) return;
    if constexpr (S::how == joins_min)
      GS_LONE ? atomicMin(at, value) : atomicMin_system(at, value);
    else if constexpr (S::how == joins_max)
      GS_LONE ? atomicMax(at, value) : atomicMax_system(at, value);
    else
      join_bits<S, typename gs_bits<sizeof(T)>::type>(at, value);
  }
}

template <class S>
GS_FN void each(const view& g, step_word* out) {
  const S s(g);
  typename S::partial p;
  const long long threads = (long long)(gridDim.x) * step_threads;
  for (long long v = g.first + (long long)(blockIdx.x) * step_threads + threadIdx.x; v < g.last;
       v += threads)
    s(v, p);
  p.store(out);
}

/// What a gather reads: the message of a vertex, or of a position. A hub's lies in the block's
/// memory where it is one copy. Half of the arcs of a Kronecker graph begin at one vertex in a
/// thousand. The L1 would keep many of these anyway, but at the cost of lookups that the other
/// reads need.
template <class S>
class messages {
 public:
  GS_IN messages(const S& s, const view& g) : s_(s) {
    if constexpr (near_hubs) {
      using copy = typename S::copy;
      const long long own = g.last - g.first, most = g.hub_bytes / int(sizeof(copy));
      hubs_ = own < most ? own : most;
      first_ = g.first;
      auto* const room = reinterpret_cast<copy*>(block_room());
      for (long long i = threadIdx.x; i < hubs_; i += step_threads) room[i] = s.copied(first_ + i);
      __syncthreads();
    }
  }
  GS_IN typename S::value operator()(long long u, gs_weight weight) const {
    if constexpr (near_hubs) {
      const long long i = u - first_;
      return s_.of_copy(i < hubs_ ? reinterpret_cast<const typename S::copy*>(block_room())[i]
                                  : s_.copied(u));
    } else {
      return s_.of(u, weight);
    }
  }

 private:
  static constexpr bool near_hubs = S::one_copy && GS_LONE;
  static GS_IN unsigned char* block_room() {
    extern __shared__ __align__(16) unsigned char block_bytes[];
    return block_bytes;
  }
  const S& s_;
  long long hubs_ = 0, first_ = 0;
};

/// What `lanes` lanes get of several rows; all of it is in the first of them. Each lane has a batch
/// of columns, then of messages on the way: an arc costs a read at a random place, and only many in
/// flight hide how long it takes.
template <class S, int lanes, int rows, int batch>
GS_FN void gather_arcs(const messages<S>& read, const view& g, const long long (&begin)[rows],
                       const int (&count)[rows], typename S::value (&all)[rows]) {
  const auto* const columns = [&] {
    if constexpr (S::hubs)
      return g.shares[S::way].columns;
    else
      return static_cast<const gs_id*>(g.rows[S::way].columns);
  }();
  const auto* const weights =
      static_cast<const gs_weight*>(S::hubs ? g.shares[S::way].weights : g.rows[S::way].weights);
  int longest = count[0];
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    all[j] = S::start();
    longest = longest < count[j] ? count[j] : longest;
  }
  for (int k = lane() & (lanes - 1); k < longest; k += lanes * batch) {
    decltype(*columns + 0) u[rows][batch];
    gs_weight w[rows][batch];
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const int at = k + i * lanes;
        u[j][i] = at < count[j] ? __ldcs(columns + begin[j] + at) : -1;
        w[j][i] = S::weighted && at < count[j] ? __ldcs(weights + begin[j] + at) : gs_weight();
      }
    typename S::value got[rows][batch];
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int i = 0; i < batch; ++i)
        got[j][i] = u[j][i] >= 0 ? read(u[j][i], w[j][i]) : S::start();
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int i = 0; i < batch; ++i) all[j] = S::join(all[j], got[j][i]);
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < rows; ++j)
#pragma unroll
    for (int by = lanes / 2; by > 0; by /= 2) all[j] = S::join(all[j], down(all[j], by));
}

/// Rows of one class, `each` of them for every group of lanes at a time.
template <class S, int lanes, int each, int batch>
GS_FN void gather_rows(const messages<S>& read, const view& g, long long from, long long to) {
  auto* const into = array<typename S::value>(g, S::into);
  const row_place* const places = g.shares[S::way].places;
  constexpr int groups = 32 / lanes, some = groups * each;
  for (long long at = from + warp() * some; at < to; at += warps() * some) {
    long long begin[each];
    int count[each], row[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const long long mine = at + j * groups + lane() / lanes;
      begin[j] = 0;
      count[j] = 0;
      row[j] = -1;
      if (mine < to) {
        const int4 words = __ldcs(reinterpret_cast<const int4*>(places + mine));
        begin[j] = (long long)(unsigned(words.x)) | (long long)(words.y) << 32;
        count[j] = words.z;
        row[j] = words.w;
      }
    }
    typename S::value all[each];
    gather_arcs<S, lanes, each, batch>(read, g, begin, count, all);
#pragma unroll
    for (int j = 0; j < each; ++j) {
      if (row[j] < 0 || (lane() & (lanes - 1)) != 0) continue;
      typename S::value* const place = into + g.first + row[j];
      *place = S::more ? S::join(*place, all[j]) : all[j];
    }
  }
}

template <class S, int batch>
GS_FN void gather_chunks(const messages<S>& read, const view& g) {
  auto* const into = array<typename S::value>(g, S::into);
  const row_shares& shares = g.shares[S::way];
  auto* const parts = reinterpret_cast<typename S::value*>(shares.parts);
  for (long long c = warp(); c < shares.chunk_count[for_gathers]; c += warps()) {
    const row_chunk chunk = shares.chunks[for_gathers][c];
    typename S::value all[1];
    gather_arcs<S, 32, 1, batch>(read, g, {chunk.begin}, {chunk.count}, all);
    bool last = false;
    if (lane() == 0) {
      parts[c] = all[0];
      __threadfence();
      last = atomicAdd(shares.done + chunk.first, 1u) + 1 == unsigned(chunk.of);
      __threadfence();
    }
    if (!__shfl_sync(all_lanes, int(last), 0)) continue;
    all[0] = S::start();
    for (int i = lane(); i < chunk.of; i += 32)
      all[0] = S::join(all[0], *static_cast<volatile typename S::value*>(parts + chunk.first + i));
#pragma unroll
    for (int by = 16; by > 0; by /= 2) all[0] = S::join(all[0], down(all[0], by));
    if (lane() == 0) {
      const long long v = g.first + chunk.row;
      into[v] = S::more ? S::join(into[v], all[0]) : all[0];
      shares.done[chunk.first] = 0;
    }
  }
}

template <class S>
GS_FN void gather(const view& g) {
  const S s(g);
  const messages<S> read(s, g);
  const long long* const end = g.shares[S::way].class_end;
  constexpr int batch = S::weighted || sizeof(typename S::value) > 4 ? 4 : 8;
  gather_chunks<S, batch>(read, g);
  gather_rows<S, 32, 1, batch>(read, g, 0, end[0]);
  gather_rows<S, 16, 1, batch>(read, g, end[0], end[1]);
  gather_rows<S, 4, 1, batch>(read, g, end[1], end[2]);
  gather_rows<S, 1, 3, batch / 2>(read, g, end[2], end[3]);
}

/// One message.
template <class S>
GS_FN void push_arc(const S& s, const view& g, long long v, long long k) {
  const step_rows& rows = g.rows[S::way];
  const gs_id u = __ldg(static_cast<const gs_id*>(rows.columns) + k);
  const gs_weight weight =
      S::weighted ? __ldg(static_cast<const gs_weight*>(rows.weights) + k) : gs_weight();
  join_shared<S>(place<typename S::value>(g, S::into, u), s.of(v, weight));
}

/// Neighbouring chunks go to different warps: one long row keeps all of them busy.
template <class S>
GS_FN void push_chunks(const S& s, const view& g) {
  const row_shares& shares = g.shares[S::way];
  const row_chunk* const chunks = shares.chunks[for_pushes];
  for (long long some = 0; some < shares.chunk_count[for_pushes]; some += 32 * warps()) {
    const long long c = some + lane() * warps() + warp();
    const bool sends = c < shares.chunk_count[for_pushes] && s.sends(g.first + chunks[c].row);
    for (unsigned left = __ballot_sync(all_lanes, sends); left != 0; left &= left - 1) {
      const row_chunk chunk = chunks[some + (__ffs(int(left)) - 1) * warps() + warp()];
#pragma unroll 4
      for (int i = lane(); i < chunk.count; i += 32)
        push_arc(s, g, g.first + chunk.row, chunk.begin + i);
    }
  }
}

/// Arcs of up to 32 vertices, shared out among the lanes.
template <class S>
GS_FN void push_rows(const S& s, const view& g, long long base, long long begin, int length) {
  int end = length;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const int before = __shfl_up_sync(all_lanes, end, by);
    if (lane() >= by) end += before;
  }
  const int total = __shfl_sync(all_lanes, end, 31);
  for (int some = 0; some < total; some += 32) {
    const int i = some + lane();
    int row = 0;
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      if (__shfl_sync(all_lanes, end, row + step - 1) <= i) row += step;
    const int before = __shfl_sync(all_lanes, end - length, row);
    const long long from = __shfl_sync(all_lanes, begin, row);
    if (i < total) push_arc(s, g, base + row, from + i - before);
  }
}

template <class S>
GS_FN void push(const view& g) {
  const S s(g);
  push_chunks(s, g);
  constexpr int group = 4;
  const long long* const offsets = g.rows[S::way].offsets;
  for (long long base = g.first + warp() * 32; base < g.last; base += group * 32 * warps()) {
    unsigned sends = 0;
#pragma unroll
    for (int i = 0; i < group; ++i) {
      const long long v = base + i * 32 * warps() + lane();
      if (v < g.last && s.sends(v)) sends |= 1u << i;
    }
    // One body for all: of what is compiled with the user waiting, less is more.
#pragma unroll 1
    for (int i = 0; i < group; ++i) {
      const bool mine = sends >> i & 1;
      if (!__any_sync(all_lanes, mine)) continue;
      const long long from = base + i * 32 * warps(), row = from + lane() - g.first;
      const long long begin = mine ? offsets[row] : 0;
      const long long length = mine ? offsets[row + 1] - begin : 0;
      push_rows(s, g, from, begin, length < shortest_split[for_pushes] ? int(length) : 0);
    }
  }
}

/// What the block's threads report together; the first has it.
GS_FN void join_block(int stage, step_word* own) {
  __shared__ step_word by_warp[32][room];
  const auto within = [&] {
#pragma unroll
    for (int by = 16; by > 0; by /= 2) {
      step_word other[room];
#pragma unroll
      for (int i = 0; i < room; ++i) other[i].whole = __shfl_down_sync(all_lanes, own[i].whole, by);
      join(stage, own, other);
    }
  };
  within();
  if (lane() == 0)
    for (int i = 0; i < room; ++i) by_warp[threadIdx.x >> 5][i] = own[i];
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int i = 0; i < room; ++i) own[i] = by_warp[threadIdx.x][i];
    within();
  }
  __syncthreads();
}

/// Tells the other ranks what this one reports, and whether the turn is over; waits for theirs.
/// False: it was given up.
GS_FN bool join_ranks(const view& g, int stage, step_word* all, bool& over) {
  using namespace gossamer;
  const unsigned long long met = ++g.control->met;
  constexpr int line = GS_WORDS + 1;
  const int side = int(met & 1) * g.ranks * line;
  for (int q = 0; q < g.ranks; ++q) {
    step_word* const to = g.mail[q] + side + g.rank * line;
    for (int i = 0; i < GS_WORDS; ++i) to[i] = all[i];
    to[GS_WORDS].whole = over;
  }
  __threadfence_system();
  for (int q = 0; q < g.ranks; ++q)
    device_detail::store_release(g.flags[q] + g.rank, std::uint64_t(met));
  start(stage, all);
  over = false;
  for (int q = 0; q < g.ranks; ++q) {
    device_wait_bound bound(g.guard, q);
    while (device_detail::load_acquire(g.flags[g.rank] + q) < met)
      if (bound.expired()) {
        bound.give_up(0, 0, met, device_detail::load_acquire(g.flags[g.rank] + q));
        return false;
      }
    const step_word* const from = g.mail[g.rank] + side + q * line;
    step_word more[room];
    for (int i = 0; i < GS_WORDS; ++i) more[i].whole = device_detail::load_relaxed(&from[i].whole);
    if (reports(stage)) join(stage, all, more);
    if (q == 0) over = device_detail::load_relaxed(&from[GS_WORDS].whole) != 0;
  }
  return true;
}

/// What the host reads when the kernel has ended.
GS_FN void leave(const view& g, int stage, long long stages) {
  g.result->stage = stage;
  g.result->stages = stages;
  auto* const to = reinterpret_cast<step_word*>(g.result + 1);
  for (int i = 0; i < g.number_count; ++i) to[i] = g.changing[i];
}

/// Where the ranks go from here, by the first thread of the last block that has arrived.
GS_FN int decide(const view& g, int stage, step_word* all, unsigned long long began,
                 long long stages) {
  const unsigned long long now = gossamer::device_detail::global_timer();
  bool over = now - began > g.turn_ns;
  if constexpr (!GS_LONE) {
    __threadfence_system();
    if (!join_ranks(g, stage, all, over)) return -1;
  }
  const int to = next(stage, all, g.changing);
  if (to >= 0 && !over) return to;
  leave(g, to, stages);
  return -1;
}

/// Behind a stage: all blocks, then all ranks, meet. The next stage; -1: the kernel ends.
GS_FN int meet(const view& g, int stage, step_word* own, unsigned long long began,
               long long stages) {
  __shared__ int shared_next;
  __shared__ bool last;
  step_control& control = *g.control;
  const bool told = reports(stage);
  if (told) {
    join_block(stage, own);
    if (threadIdx.x == 0)
      for (int i = 0; i < GS_WORDS; ++i) g.reports[blockIdx.x * GS_WORDS + i] = own[i];
  }
  __syncthreads();
  unsigned generation = 0;
  if (threadIdx.x == 0) {
    generation = gossamer::device_detail::load_relaxed_on_device(&control.generation);
    if constexpr (!GS_LONE) __threadfence_system();
    last = gossamer::device_detail::fetch_add_on_device(&control.arrived, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (last) {
    if (told) {
      __threadfence();
      start(stage, own);
      for (unsigned b = threadIdx.x; b < gridDim.x; b += step_threads) {
        step_word more[room];
        for (int i = 0; i < GS_WORDS; ++i)
          more[i].whole =
              gossamer::device_detail::load_relaxed_on_device(&g.reports[b * GS_WORDS + i].whole);
        join(stage, own, more);
      }
      join_block(stage, own);
    }
    if (threadIdx.x == 0) {
      shared_next = decide(g, stage, own, began, stages);
      control.arrived = 0;
      control.next = shared_next;
      __threadfence();
      gossamer::device_detail::store_release_on_device(&control.generation, generation + 1);
    }
  } else if (threadIdx.x == 0) {
    while (gossamer::device_detail::load_acquire_on_device(&control.generation) == generation) {
    }
    shared_next = gossamer::device_detail::load_relaxed_on_device(&control.next);
  }
  __syncthreads();
  __threadfence();
  return shared_next;
}

GS_FN void run(const view& g) {
  const unsigned long long began = gossamer::device_detail::global_timer();
  int stage = g.begin;
  for (long long stages = 1; stage >= 0; ++stages) {
    step_word own[room];
    start(stage, own);
    run_stage(stage, g, own);
    stage = meet(g, stage, own, began, stages);
  }
}

}  // namespace gs
