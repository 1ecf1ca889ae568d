// Where a vertex gains most: by a move to a neighbour's community, or by going to a part of its
// own. Gains are those of CPUs bit by bit: no product is added without being rounded.
//
// While a group looks, nothing changes but targets and who is awake. All blocks meet before it
// does, which has caches read anew: many look at the same communities.
#pragma once

#include "algorithm/communities/sync/cuda/level_view.hpp"
#include "algorithm/communities/sync/cuda/words.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::communities_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::lanes_below, dataflow::cuda::whole_warp;

template <class Id>
inline constexpr Id nobody = static_cast<Id>(-1);
/// Behind all others.
template <class Id>
inline constexpr Id nowhere_to_go = static_cast<Id>(sizeof(Id) == 8 ? 0x7fffffffffffffffULL
                                                                    : 0x7fffffffULL);

template <class Id, class Sum>
__device__ choice<Id, Sum> no_choice() {
  return {-__longlong_as_double(0x7ff0000000000000LL), nowhere_to_go<Id>, Sum{}, Sum{}};
}
template <class Id, class Sum>
__device__ bool is_better(const choice<Id, Sum>& a, double gain, Id to) {
  return gain > a.gain || (gain == a.gain && to < a.to);
}
template <class Id, class Sum>
__device__ void take_better(choice<Id, Sum>& a, const choice<Id, Sum>& b) {
  const Sum own = a.own + b.own;
  if (is_better(a, b.gain, b.to)) a = b;
  a.own = own;
}
/// All lanes get the best of all.
template <class Id, class Sum>
__device__ choice<Id, Sum> best_of_warp(choice<Id, Sum> a) {
  for (int d = 16; d > 0; d /= 2) {
    const choice<Id, Sum> b{
        __shfl_xor_sync(whole_warp, a.gain, d), __shfl_xor_sync(whole_warp, a.to, d),
        __shfl_xor_sync(whole_warp, a.bond, d), __shfl_xor_sync(whole_warp, a.own, d)};
    take_better(a, b);
  }
  return a;
}

/// Whole warps: to[key] += value of all lanes that are `there`. Many may have one key, the first
/// lane's: it is added once.
template <class T, class Id>
__device__ void add_of_lanes(T* to, Id key, T value, bool there) {
  const unsigned who = __ballot_sync(whole_warp, there);
  if (who == 0) return;
  const int first = __ffs(static_cast<int>(who)) - 1;
  const Id common = __shfl_sync(whole_warp, key, first);
  const bool same = there && key == common;
  T sum = same ? value : T{};
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(whole_warp, sum, d);
  if (static_cast<int>(lane_id()) == first) add(to + key, sum);
  if (there && !same) add(to + key, value);
}

/// What both have in common.
template <class Id, class Sum>
struct rule_of {
  const level_view<Id, Sum>& of;
  counter_random random;
  unsigned group;

  __device__ rule_of(const level_view<Id, Sum>& level, std::int64_t draws, unsigned g)
      : of(level),
        random(counter_random::of(level.seed, static_cast<std::uint64_t>(draws))),
        group(g) {}

  /// A vertex that looks for a place.
  struct looker {
    Id v, own;
    std::int64_t strength, total;  ///< total: of its community
    double pull;
  };
  __device__ looker looker_of(Id v) const {
    looker x;
    x.v = v;
    x.own = of.community[v];
    x.strength = of.strengths[v];
    x.total = of.total[x.own];
    x.pull = __dmul_rn(of.resolution, static_cast<double>(x.strength));
    return x;
  }
  __device__ double gain(const looker& x, Sum weight, std::int64_t total) const {
    return __dsub_rn(__dmul_rn(of.whole, static_cast<double>(weight)),
                     __dmul_rn(x.pull, static_cast<double>(total)));
  }
  __device__ bool is_of_group(Id v) const {
    return group_in(random, static_cast<std::uint64_t>(v)) == group;
  }
};

/// Moves to communities.
template <class Id, class Sum>
struct move_rule : rule_of<Id, Sum> {
  using base = rule_of<Id, Sum>;
  using base::base;
  using base::of;
  using typename base::looker;
  static constexpr bool wakes = true;

  __device__ bool looks(const looker&) const { return true; }
  /// What the weight of an arc to u is added to.
  __device__ Id key(const looker&, Id u) const { return of.community[u]; }
  __device__ void consider(const looker& x, Id c, Sum weight, choice<Id, Sum>& best) const {
    if (c == x.own) {
      best.own = weight;
      return;
    }
    const double gain = this->gain(x, weight, of.total[c]);
    if (!is_better(best, gain, c)) return;
    best.gain = gain;
    best.to = c;
  }
  /// Notes where v goes; whether it moves. One thread.
  __device__ bool decide(const looker& x, const choice<Id, Sum>& best) const {
    Id target = x.own;
    double least = this->gain(x, best.own, x.total - x.strength);
    if (least < 0 && of.size[x.v] == 0) {  // its own number is free for it alone
      target = x.v;
      least = 0;
    }
    if (best.to != nowhere_to_go<Id> &&
        (best.gain > least || (best.gain == least && target != x.own && best.to < target)))
      target = best.to;
    if (target > x.own && of.size[x.own] == 1 && of.size[target] == 1 &&
        this->is_of_group(target)) {  // it may choose this one just now
      wake(x.v);
      target = x.own;
    }
    of.target[x.v] = target;
    return target != x.own;
  }
  __device__ void stay(const looker& x) const { of.target[x.v] = x.own; }
  [[nodiscard]] __device__ bool moves(Id v) const { return of.target[v] != of.community[v]; }

  /// v will be looked at in the next round, if it is not in a later group of this one. Whoever
  /// writes that now writes the same.
  __device__ void wake(Id v) const {
    const std::uint8_t before = __ldcg(of.awake + v),
                       after = static_cast<std::uint8_t>((before & 0x80U) | (this->group + 1));
    if (before != after) of.awake[v] = after;
  }
  __device__ void wake_outside(Id u, Id target) const {
    if (of.community[u] != target) wake(u);
  }

  /// Whole warps: v goes, if it is there; whether it has moved.
  __device__ bool go(Id v, bool there) const {
    const Id own = there ? of.community[v] : Id{0}, target = there ? of.target[v] : Id{0};
    const bool moved = own != target;
    const std::int64_t strength = moved ? of.strengths[v] : 0;
    add_of_lanes(of.total, own, -strength, moved);
    add_of_lanes(of.size, own, Id{-1}, moved);
    add_of_lanes(of.total, target, strength, moved);
    add_of_lanes(of.size, target, Id{1}, moved);
    if (moved) of.community[v] = target;
    return moved;
  }
};

/// Single vertices that are joined well to the rest of their community go to parts of it.
template <class Id, class Sum>
struct part_rule : rule_of<Id, Sum> {
  using base = rule_of<Id, Sum>;
  using base::base;
  using base::of;
  using typename base::looker;
  static constexpr bool wakes = false;

  __device__ bool looks(const looker& x) const {
    return of.part_size[x.v] == 1 &&  // else others are with it
           !(__dmul_rn(of.whole, static_cast<double>(of.outward[x.v])) <
             __dmul_rn(x.pull, static_cast<double>(x.total - x.strength)));
  }
  __device__ Id key(const looker& x, Id u) const {
    return of.community[u] == x.own ? of.part[u] : nobody<Id>;
  }
  __device__ void consider(const looker& x, Id p, Sum weight, choice<Id, Sum>& best) const {
    const std::int64_t total = of.part_total[p];
    const double gain = this->gain(x, weight, total);
    if (!is_better(best, gain, p)) return;
    if (of.part_size[p] == 1 && this->is_of_group(p)) return;
    if (__dmul_rn(of.whole, static_cast<double>(of.outward[p])) <
        __dmul_rn(__dmul_rn(of.resolution, static_cast<double>(total)),
                  static_cast<double>(x.total - total)))
      return;
    best.gain = gain;
    best.to = p;
    best.bond = weight;
  }
  __device__ bool decide(const looker& x, const choice<Id, Sum>& best) const {
    const bool joins = best.gain > 0;
    of.target[x.v] = joins ? best.to : x.v;
    if (joins) of.bond[x.v] = best.bond;
    return joins;
  }
  __device__ void stay(const looker& x) const { of.target[x.v] = x.v; }
  [[nodiscard]] __device__ bool moves(Id v) const { return of.target[v] != v; }

  __device__ bool go(Id v, bool there) const {
    const Id to = there ? of.target[v] : v;
    const bool joins = to != v;
    if (joins) {
      of.part[v] = to;
      of.part_size[v] = 0;
    }
    add_of_lanes(of.part_total, to, joins ? of.strengths[v] : 0, joins);
    add_of_lanes(of.part_size, to, Id{1}, joins);
    add_of_lanes(
        of.outward, to,
        joins ? of.outward[v] - 2 * static_cast<std::int64_t>(of.bond[v]) : std::int64_t{0}, joins);
    return joins;
  }
};

}  // namespace gossamer::communities_detail::cuda
