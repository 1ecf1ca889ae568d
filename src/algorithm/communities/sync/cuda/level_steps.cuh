// Between rounds: communities are counted and named, arcs between them become the smaller graph's,
// and labels are made. Each step goes through vertices or arcs, a thread each.
#pragma once

#include "algorithm/communities/sync/cuda/launch.hpp"
#include "algorithm/communities/sync/cuda/rules.cuh"

namespace gossamer::communities_detail::cuda {

/// Of a block, that writes arcs behind each other.
struct append_memory {
  std::int64_t first_row, last_row;
  unsigned long long place;
  unsigned count;
};

template <class Sizes, class Id, class Sum>
class level_steps {
 public:
  __device__ explicit level_steps(const level_view<Id, Sum>& of) : of_(of) {}

  /// Vertices of the caller's graph, each alone or in the community that it has a label of.
  __device__ void begin(Id* node, const Id* labels) {
    each(of_.vertices, [&](std::int64_t v) {
      node[v] = static_cast<Id>(v);
      if (labels != nullptr) of_.community[v] = labels[v];
    });
  }
  /// Communities' sizes and strengths; those of more than one vertex need nothing() before.
  __device__ void seat_alone() {
    each(of_.vertices, [&](std::int64_t v) {
      of_.community[v] = static_cast<Id>(v);
      of_.total[v] = of_.strengths[v];
      of_.size[v] = 1;
    });
  }
  __device__ void nothing() {
    each(of_.vertices, [&](std::int64_t v) {
      of_.total[v] = 0;
      of_.size[v] = 0;
    });
  }
  __device__ void seat() {
    each_warp(of_.vertices, [&](std::int64_t v, bool there) {
      const Id c = there ? of_.community[v] : Id{0};
      add_of_lanes(of_.total, c, there ? of_.strengths[v] : std::int64_t{0}, there);
      add_of_lanes(of_.size, c, Id{1}, there);
    });
  }

  /// Strengths of communities, or of parts, as the smaller graph's vertices. `lowest`: nowhere.
  __device__ void rename(const Id* name, const Id* sizes, const std::int64_t* totals,
                         std::int64_t* strengths, Id* lowest) {
    each(of_.vertices, [&](std::int64_t c) {
      if (sizes[c] > 0) strengths[name[c]] = totals[c];
      if (lowest != nullptr) lowest[c] = nowhere_to_go<Id>;
    });
  }
  /// label := its name in the smaller graph. `lowest`: the smallest part of a community.
  __device__ void relabel(Id* label, const Id* name, Id* lowest) {
    each(of_.vertices, [&](std::int64_t v) {
      const Id q = name[label[v]];
      label[v] = q;
      if (lowest != nullptr) lower(lowest + of_.community[v], q);
    });
  }
  /// Parts begin in the communities that they are of, named by their smallest part.
  __device__ void keep(const Id* label, const Id* lowest, Id* community) {
    each(of_.vertices, [&](std::int64_t v) { community[label[v]] = lowest[of_.community[v]]; });
  }
  /// Of the caller's vertices: which of the smaller graph's.
  __device__ void follow(Id* node, const Id* label, std::int64_t vertices) {
    each(vertices, [&](std::int64_t v) { node[v] = label[node[v]]; });
  }

  /// All threads of the block: arcs between vertices of two labels.
  __device__ void list_arcs(const Id* label, const arc_list<Sum>& to, append_memory& mine) {
    constexpr std::int64_t piece = std::int64_t{Sizes::threads} * at_once;
    for (std::int64_t from = blockIdx.x * piece; from < of_.arcs; from += gridDim.x * piece) {
      const std::int64_t end = from + piece < of_.arcs ? from + piece : of_.arcs;
      if (threadIdx.x == 0) {
        mine.count = 0;
        mine.first_row = row_of(from, 0, of_.vertices - 1);
        mine.last_row = row_of(end - 1, mine.first_row, of_.vertices - 1);
      }
      __syncthreads();
      unsigned long long ends[at_once];
      Sum weight[at_once];
      unsigned at[at_once];
      bool kept[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const std::int64_t arc = from + std::int64_t{k} * Sizes::threads + threadIdx.x;
        kept[k] = false;
        if (arc < end) {
          const auto v = static_cast<Id>(row_of(arc, mine.first_row, mine.last_row));
          const Id u = of_.columns[arc], a = label[v], b = label[u];
          weight[k] = of_.weights == nullptr ? Sum{1} : of_.weights[arc];
          kept[k] = a != b && weight[k] > 0;
          ends[k] =
              static_cast<unsigned long long>(a) << to.bits | static_cast<unsigned long long>(b);
        }
        const unsigned who = __ballot_sync(whole_warp, kept[k]);
        unsigned begin = 0;
        if (lane_id() == 0 && who != 0) begin = atomicAdd(&mine.count, __popc(who));
        at[k] = __shfl_sync(whole_warp, begin, 0) + __popc(who & lanes_below());
      }
      __syncthreads();
      if (threadIdx.x == 0 && mine.count > 0)
        mine.place = atomicAdd(to.count, static_cast<unsigned long long>(mine.count));
      __syncthreads();
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (!kept[k]) continue;
        to.ends[mine.place + at[k]] = ends[k];
        if (to.weights != nullptr) to.weights[mine.place + at[k]] = weight[k];
      }
      __syncthreads();  // `count` is written again
    }
  }
  /// Rows of `vertices`, of arcs in order.
  __device__ void make_rows(const arc_list<Sum>& from, std::int64_t arcs, std::int64_t vertices,
                            edge_offset* offsets, Id* columns) {
    const unsigned long long mask = (1ULL << from.bits) - 1;
    each(arcs, [&](std::int64_t i) { columns[i] = static_cast<Id>(from.ends[i] & mask); });
    each(vertices + 1, [&](std::int64_t q) {
      const unsigned long long least = static_cast<unsigned long long>(q) << from.bits;
      std::int64_t begin = 0, end = arcs;  // the first of least or more
      while (begin < end) {
        const std::int64_t middle = begin + (end - begin) / 2;
        if (from.ends[middle] < least)
          begin = middle + 1;
        else
          end = middle;
      }
      offsets[q] = begin;
    });
  }

  /// Connected parts of communities, by their smallest vertices, after vertices have been joined().
  __device__ void alone(Id* parent, std::int64_t vertices) {
    each(vertices, [&](std::int64_t v) { parent[v] = static_cast<Id>(v); });
  }
  __device__ void join(Id* parent) {
    for (std::int64_t arc = first(); arc < of_.arcs; arc += threads()) {
      const auto v = static_cast<Id>(row_of(arc, 0, of_.vertices - 1));
      const Id u = of_.columns[arc];
      if (u >= v || of_.community[u] != of_.community[v]) continue;
      if (of_.weights != nullptr && !(of_.weights[arc] > 0)) continue;
      Id a = root_of(parent, u), b = root_of(parent, v);
      while (a != b) {  // the larger root goes to the smaller, if it is one still
        const Id low = a < b ? a : b, high = a < b ? b : a;
        const Id there = replace(parent + high, high, low);
        if (there == high) break;
        a = low;
        b = root_of(parent, there);
      }
    }
  }
  __device__ void joined(const Id* parent) {
    each(of_.vertices, [&](std::int64_t v) {
      Id c = parent[v];
      while (parent[c] != c) c = parent[c];
      of_.community[v] = c;
    });
  }

  /// The smallest vertex of each community.
  __device__ void name(Id* node, Id* lowest, std::int64_t vertices) {
    each(vertices, [&](std::int64_t v) {
      const Id c = of_.community[node[v]];
      node[v] = c;
      if (static_cast<Id>(v) < __ldcg(lowest + c)) lower(lowest + c, static_cast<Id>(v));
    });
  }
  __device__ void label(const Id* node, const Id* lowest, Id* labels, std::int64_t vertices,
                        bool all_new, label_counts* found) {
    each_warp(vertices, [&](std::int64_t v, bool there) {
      bool changed = false;
      if (there) {
        const Id now = lowest[node[v]];
        changed = all_new || labels[v] != now;
        labels[v] = now;
      }
      const unsigned who = __ballot_sync(whole_warp, changed);
      if (lane_id() == 0 && who != 0)
        atomicAdd(&found->changed, static_cast<unsigned long long>(__popc(who)));
    });
  }
  __device__ void fill(Id* of, Id value, std::int64_t n) {
    each(n, [&](std::int64_t i) { of[i] = value; });
  }
  __device__ void count(const Id* labels, Id* sizes, std::int64_t vertices) {
    each_warp(vertices, [&](std::int64_t v, bool there) {
      add_of_lanes(sizes, there ? labels[v] : Id{0}, Id{1}, there);
    });
  }
  __device__ void find_largest(const Id* sizes, std::int64_t vertices, label_counts* found) {
    each_warp(vertices, [&](std::int64_t c, bool there) {
      auto size = there ? static_cast<unsigned long long>(sizes[c]) : 0ULL;
      const unsigned who = __ballot_sync(whole_warp, size > 0);
      for (int d = 16; d > 0; d /= 2) {
        const unsigned long long other = __shfl_xor_sync(whole_warp, size, d);
        if (other > size) size = other;
      }
      if (lane_id() != 0 || who == 0) return;
      atomicAdd(&found->count, static_cast<unsigned long long>(__popc(who)));
      if (size > __ldcg(&found->largest)) atomicMax(&found->largest, size);
    });
  }
  __device__ void find_label(const Id* sizes, std::int64_t vertices, label_counts* found) {
    const unsigned long long largest = found->largest;
    each(vertices, [&](std::int64_t c) {
      if (static_cast<unsigned long long>(sizes[c]) == largest)
        atomicMin(&found->largest_label, static_cast<unsigned long long>(c));
    });
  }

 private:
  static constexpr int at_once = Sizes::at_once;

  __device__ static std::int64_t first() {
    return std::int64_t{blockIdx.x} * Sizes::threads + threadIdx.x;
  }
  __device__ static std::int64_t threads() {
    return std::int64_t{gridDim.x} * Sizes::threads;
  }
  template <class F>
  __device__ static void each(std::int64_t n, const F& f) {
    for (std::int64_t i = first(); i < n; i += threads()) f(i);
  }
  /// f(i, there), by whole warps.
  template <class F>
  __device__ static void each_warp(std::int64_t n, const F& f) {
    for (std::int64_t from = first() - lane_id(); from < n; from += threads())
      f(from + lane_id(), from + lane_id() < n);
  }
  /// Whose row an arc is in, of `least` … `most`.
  [[nodiscard]] __device__ std::int64_t row_of(std::int64_t arc, std::int64_t least,
                                               std::int64_t most) const {
    while (least < most) {
      const std::int64_t middle = most - (most - least) / 2;
      if (of_.offsets[middle] <= arc)
        least = middle;
      else
        most = middle - 1;
    }
    return least;
  }
  /// Others join meanwhile: whatever is written to a vertex that is no root is on its way.
  __device__ static Id root_of(Id* parent, Id v) {
    while (true) {
      const Id next = __ldcg(parent + v);
      if (next == v) return v;
      const Id over = __ldcg(parent + next);
      if (over == next) return next;
      parent[v] = over;
      v = over;
    }
  }

  const level_view<Id, Sum>& of_;
};

}  // namespace gossamer::communities_detail::cuda
