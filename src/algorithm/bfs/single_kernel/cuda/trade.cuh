// How the clusters of several GPUs run narrow levels together. What a block finds for another rank
// goes to the block of its own number there, by stores over the wire, and so does its count.
//
// A level's chain gets one trip longer, and one claim. Nobody waits for a fence: every message is a
// word_pair, whole when its level's flag is there. No cluster waits for its own blocks before it
// sends. Slots are used in turns of two levels. A block writes those of level L when it has the
// word of all others' level L - 1, which they sent after reading level L - 2.
//
// Beside messages a block says how many vertices it expanded and found. So when all blocks have
// agreed, everybody knows the level's exact size, of all ranks, and no less than the next one's:
// finds of two ranks may be the same vertex. A level that turns out empty was none.
#pragma once

#include "algorithm/bfs/single_kernel/cuda/peers.cuh"
#include "gossamer/collective/word_pair.hpp"

namespace gossamer::bfs_detail::cuda {

struct trade_memory {
  std::uint32_t posted[trade_ranks];  ///< to each rank, this level; zero between levels
  std::uint32_t come[trade_ranks];    ///< messages of each rank
  std::uint32_t found, expanded;      ///< of the blocks of this number at all ranks
  bool failed;                        ///< a wait ran out
};

template <class Id>
class narrow_trade {
 public:
  __device__ narrow_trade(const peers_view<Id>& p, const device_guard& guard, trade_memory& m,
                          int block)
      : p_(p), guard_(guard), m_(m), block_(block) {
    if (threadIdx.x < trade_ranks) m_.posted[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
      m_.found = m_.expanded = 0;
      m_.failed = false;
    }
  }

  /// Sends (local row of `owner`, parent's placed id) for lanes with `remote`; whole warps.
  __device__ void post(bool remote, int owner, std::int32_t target, std::int32_t parent,
                       std::int64_t level) {
    by_owner(m_.posted, remote, owner, [&](int to, std::int64_t at) {
      store(to, level, 1 + static_cast<int>(at),
            static_cast<std::uint32_t>(target) |
                static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32);
    });
  }

  /// All threads, behind a block barrier after the last post. Of this block at `level`: vertices
  /// expanded, and found here. Others' messages go to `take(there, target, parent)`, whole warps.
  /// Afterwards, behind a block barrier, `found` and `expanded` hold all ranks'.
  template <class Take>
  __device__ void exchange(std::int64_t level, std::uint32_t found, std::uint32_t expanded,
                           Take take) {
    if (threadIdx.x < 32) tell(level, found, expanded);
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x / 32 * 32);
    for (int s = 0; s < p_.ranks; ++s) {
      const int n = s == p_.me ? 0 : static_cast<int>(m_.come[s]);
      for (int first = warp; first < n; first += team_threads) {
        const int i = first + static_cast<int>(lane_id());
        std::uint64_t word = 0;
        const bool there = i < n && await(s, level, 1 + i, word);
        take(there, static_cast<std::int32_t>(word & 0xffffffffu),
             static_cast<std::int32_t>(word >> 32));
      }
    }
  }

  /// For the report: one put a level and rank that something was sent to. First warp, at the end.
  __device__ void count() const {
    if (puts_ == 0) return;
    atomicAdd(p_.sent, puts_);
    atomicAdd(p_.sent + 1, messages_ * sizeof(message<Id>));
  }

 private:
  static constexpr std::int64_t slots = trade_entries + 1;

  [[nodiscard]] __device__ std::int64_t slot(int from, std::int64_t level, int i) const {
    return (((level & 1) * p_.ranks + from) * most_cluster_blocks + block_) * slots + i;
  }
  [[nodiscard]] __device__ static std::uint64_t tag(std::int64_t level) {
    return word_pair::tag(static_cast<std::uint32_t>(level + 1));
  }
  __device__ void store(int to, std::int64_t level, int i, std::uint64_t data) const {
    const auto words = word_pair::of(data, tag(level));
    device_detail::store_relaxed(p_.trade.at(to) + 2 * slot(p_.me, level, i), words.low,
                                 words.high);
  }
  __device__ bool await(int from, std::int64_t level, int i, std::uint64_t& data) {
    const std::uint64_t* at = p_.trade.mine + 2 * slot(from, level, i);
    device_wait_bound bound(guard_, from);
    while (true) {
      word_pair words;
      device_detail::load_relaxed(at, words.low, words.high);
      if (words.arrived(tag(level))) {
        data = words.data();
        return true;
      }
      if (!bound.expired()) continue;
      bound.give_up(0, 0, static_cast<std::uint64_t>(level + 1), words.low >> 32);
      m_.failed = true;
      return false;
    }
  }
  /// First warp, a lane a rank.
  __device__ void tell(std::int64_t level, std::uint32_t found, std::uint32_t expanded) {
    const int lane = static_cast<int>(lane_id());
    std::uint32_t posted = 0;
    if (lane < p_.ranks) {
      posted = m_.posted[lane];
      m_.posted[lane] = 0;
    }
    puts_ += posted != 0 ? 1 : 0;
    messages_ += posted;
    const std::uint32_t all = found + warp_total(posted);
    std::uint32_t others_found = all, others_expanded = expanded;
    if (lane < p_.ranks && lane != p_.me) {
      store(lane, level, 0,
            posted | static_cast<std::uint64_t>(all) << 16 |
                static_cast<std::uint64_t>(expanded) << 32);
      std::uint64_t word = 0;
      static_cast<void>(await(lane, level, 0, word));
      m_.come[lane] = static_cast<std::uint32_t>(word & 0xffffu);
      others_found = static_cast<std::uint32_t>(word >> 16 & 0xffffu);
      others_expanded = static_cast<std::uint32_t>(word >> 32);
    } else if (lane != p_.me) {
      others_found = others_expanded = 0;
    }
    others_found = warp_total(others_found);
    others_expanded = warp_total(others_expanded);
    if (lane != 0) return;
    m_.found = others_found;
    m_.expanded = others_expanded;
  }
  __device__ static std::uint32_t warp_total(std::uint32_t value) {
    return __shfl_sync(whole_warp, inclusive_sum(value), 31);
  }

  const peers_view<Id>& p_;
  const device_guard& guard_;
  trade_memory& m_;
  const int block_;
  unsigned long long puts_ = 0, messages_ = 0;
};

}  // namespace gossamer::bfs_detail::cuda
