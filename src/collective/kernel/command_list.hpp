// A plan as one kernel runs it: the steps of a rank's part with every address resolved, and the
// loop that interprets them. The loop is written once for threads of a GPU and a CPU rank's thread.
//
// A team is all threads that interpret one command list together: one block or a whole grid, or one
// thread. Every thread walks all steps; each step's elements are divided among them. Between steps
// there is a barrier only where a step reads what others of the team wrote (`settled`, decided when
// the command list is made), so that short steps in a row overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "collective/kernel/copy_bytes.hpp"
#include "collective/kernel/fold_words.hpp"
#include "collective/run/local_work.hpp"
#include "collective/schedule/slices.hpp"
#include "gossamer/collective/combine.hpp"
#include "gossamer/collective/word_pair.hpp"

namespace gossamer {

struct command {
  enum class kind : std::uint8_t {
    none,    ///< not in this turn
    put,     ///< bytes to a peer's memory
    pack,    ///< bytes to a peer's inbox, half data and half epoch
    raise,   ///< the peer's counter, after everything the team did before
    wait,    ///< until the own counter has reached the epoch, less `lag`
    unpack,  ///< from the own inbox, word by word as they come
    copy,
    fold,
    fold_packed,  ///< operands straight from the own inbox, but for the own one
  };
  kind what = kind::none;
  bool settled = false;  ///< a barrier of the team comes first
  std::int32_t peer = -1, signal = -1;
  std::int32_t first = 0;  ///< pack, unpack: the thread that takes the first pair of words
  /// wait: how many epochs behind the counter may be; raise: how many behind the epoch its value
  /// is. A raise that lags is about an epoch that is over, and nothing in this one goes before it.
  std::int32_t lag = 0;
  std::uint64_t* counter = nullptr;  ///< raise: the peer's; wait: the own
  std::uint64_t* words = nullptr;    ///< pack: the peer's inbox; unpack, fold_packed: the own
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  fold_work fold;  ///< fold_packed: operands lie side by side from `words` on, without the own one
};

namespace command_detail {

template <class T, class Team>
GOSSAMER_HD void fold(const Team& team, const fold_work& work, reduction op) {
  if (fold_detail::wide<T>(work))
    fold_detail::fold_words<T, 16 / sizeof(T)>(team, work, op);
  else
    fold_detail::fold_words<T, 1>(team, work, op);
}

/// Pairs of words that a thread polls together, each of a step; null = none. One by one each would
/// cost a trip; more than a few take the registers that a thread has.
template <int N>
struct awaited_pairs {
  const command* step[N] = {};
  const std::uint64_t* at[N] = {};
  word_pair seen[N];
};
constexpr int folded_at_once = 4, unpacked_at_once = 2;

/// As fold, with the operands of others as packed words, a pair at a time: one element of 8 bytes
/// or two of 4. False: gave up waiting.
template <class T, class Team>
GOSSAMER_HD bool fold_packed(const Team& team, const command& s, std::uint64_t tag, reduction op) {
  constexpr std::size_t each = 8 / sizeof(T);
  const auto& work = s.fold;
  const std::size_t bytes = work.count * sizeof(T), pairs = (work.count + each - 1) / each;
  bool alive = true;
  for (std::size_t i = team.index(); i < pairs; i += team.size()) {
    T sum[each]{};
    for (int first = 0; first < work.parts; first += folded_at_once) {
      awaited_pairs<folded_at_once> pairs_of;
      for (int j = 0; j < folded_at_once; ++j) {
        const int k = first + j;
        const auto before = static_cast<std::size_t>(k - (work.own_part >= 0 && k > work.own_part));
        const bool theirs = k < work.parts && k != work.own_part;
        pairs_of.step[j] = &s;
        pairs_of.at[j] = theirs ? s.words + 2 * (before * pairs + i) : nullptr;
      }
      alive = team.load_pairs(pairs_of, tag) && alive;
      for (int j = 0; j < folded_at_once && first + j < work.parts; ++j) {
        const bool own = first + j == work.own_part;
        const std::uint64_t data = own ? load_eight(work.own, i, bytes) : pairs_of.seen[j].data();
        T next[each];
        std::memcpy(next, &data, sizeof data);
        for (std::size_t e = 0; e < each; ++e)
          sum[e] = first + j == 0 ? next[e] : combine(sum[e], next[e], op);
      }
    }
    std::uint64_t data = 0;
    std::memcpy(&data, sum, sizeof data);
    store_eight(work.to, i, bytes, data);
  }
  return alive;
}

/// `n` unpack steps in a row: their pairs are polled together. False: gave up waiting.
template <class Team>
GOSSAMER_HD bool unpack(const Team& team, const command* steps, int n, std::uint64_t tag) {
  int i = 0;
  std::size_t j = team.from(steps[0].first);
  const auto skip = [&] {
    while (i < n && 8 * j >= steps[i].bytes)
      if (++i < n) j = team.from(steps[i].first);
  };
  bool alive = true;
  skip();
  while (i < n) {  // NOLINT(bugprone-infinite-loop): skip() changes i
    awaited_pairs<unpacked_at_once> pairs;
    for (int k = 0; k < unpacked_at_once; ++k) {
      pairs.step[k] = steps + (i < n ? i : 0);
      pairs.at[k] = i < n ? steps[i].words + 2 * j : nullptr;
      j += team.size();
      skip();
    }
    alive = team.load_pairs(pairs, tag) && alive;
    for (int k = 0; k < unpacked_at_once; ++k) {
      const command& s = *pairs.step[k];
      if (pairs.at[k] == nullptr) continue;
      store_eight(s.to, static_cast<std::size_t>(pairs.at[k] - s.words) / 2, s.bytes,
                  pairs.seen[k].data());
    }
  }
  return alive;
}

}  // namespace command_detail

/// The value that a wait is for; 0 = nothing, in the first epochs.
GOSSAMER_HD inline std::uint64_t awaited(const command& wait, std::uint64_t epoch) {
  const auto lag = static_cast<std::uint64_t>(wait.lag);
  return epoch > lag ? epoch - lag : 0;
}

/// Steps of an epoch. False: the team gave up waiting, and its rank's board says why (a CPU rank
/// throws).
///
/// Team: index(), size() of its threads; from(first), index() counted from another thread, so that
/// short steps in a row meet different warps; sync(alive), a barrier that returns whether all were
/// alive; end(alive), the last one; raise, await (some waits in a row), and source (eight bytes to
/// pack), store_pair, load_pairs (all of several) for packed words.
template <class T, class Team>
GOSSAMER_HD bool run_steps(const Team& team, const command* steps, int count, std::uint64_t epoch,
                           reduction op) {
  using kind = command::kind;
  using namespace command_detail;
  const std::uint64_t tag = epoch << 32;
  bool alive = true;
  for (int i = 0; i < count; ++i) {
    const command& s = steps[i];
    if (s.settled) {
      alive = team.sync(alive);
      if (!alive) return false;
    }
    switch (s.what) {
      case kind::none:
        break;
      case kind::put:
      case kind::copy:
        copy_bytes(team, s.to, s.from, s.bytes);
        break;
      case kind::pack:
        for (std::size_t j = team.from(s.first); 8 * j < s.bytes; j += team.size())
          team.store_pair(s, j, word_pair::of(team.source(s, j), tag));
        break;
      case kind::unpack: {
        int n = 1;
        while (i + n < count && steps[i + n].what == kind::unpack && !steps[i + n].settled) ++n;
        alive = unpack(team, steps + i, n, tag) && alive;
        i += n - 1;
        break;
      }
      case kind::raise:
        team.raise(s, i, epoch - static_cast<std::uint64_t>(s.lag));
        break;
      case kind::wait: {
        int n = 1;  // waits in a row cost one trip
        while (i + n < count && steps[i + n].what == kind::wait) ++n;
        alive = team.await(steps + i, n, epoch) && alive;
        i += n - 1;
        break;
      }
      case kind::fold:
        fold<T>(team, s.fold, op);
        break;
      case kind::fold_packed:
        alive = fold_packed<T>(team, s, tag, op) && alive;
        break;
    }
  }
  return alive;
}

/// One epoch.
template <class T, class Team>
GOSSAMER_HD bool run_commands(const Team& team, const command* steps, int count,
                              std::uint64_t epoch, reduction op) {
  return team.end(run_steps<T>(team, steps, count, epoch, op));
}

/// What a launch needs; lives in the plan.
struct command_list {
  const command* steps = nullptr;  ///< [turns][count], where the rank's code can read them
  int turns = 2;                   ///< a power of two; an epoch's is epoch % turns
  int count = 0;
  /// More than one: of GPUs, as many as blocks, and each block is a team that takes its slice of
  /// every step (slices.hpp); counters are those of the first block, others' lie behind them.
  int slices = 1;
  int blocks = 1, threads = 32;          ///< GPU
  std::uint64_t* epoch = nullptr;        ///< GPU: counts in device memory, since a replayed graph's
                                         ///< arguments are frozen
  std::uint32_t* arrivals = nullptr;     ///< GPU: as steps, blocks that have reached a raise
  std::uint32_t* barrier = nullptr;      ///< GPU: two words of grid_barrier
  std::uint32_t signals = 0, inbox = 0;  ///< ids of the tables, for messages
};

/// What block b of a sliced command list does of a step.
GOSSAMER_HD inline void take_slice(command& s, std::size_t element, std::size_t b,
                                   std::size_t slices) {
  constexpr std::size_t line = 128;  // of memory: none is shared by blocks
  using kind = command::kind;
  if (s.what == kind::raise || s.what == kind::wait) {
    s.counter += b;
  } else if (s.what == kind::put || s.what == kind::copy) {
    const auto mine = slice_of(s.bytes, line, b, slices);
    s.to = static_cast<std::byte*>(s.to) + mine.begin;
    s.from = static_cast<const std::byte*>(s.from) + mine.begin;
    s.bytes = mine.size();
  } else if (s.what == kind::fold) {
    const auto mine = slice_of(s.fold.count, line / element, b, slices);
    const std::size_t at = mine.begin * element;
    s.fold.to = static_cast<std::byte*>(s.fold.to) + at;
    s.fold.from = static_cast<const std::byte*>(s.fold.from) + at;
    if (s.fold.own != nullptr) s.fold.own = static_cast<const std::byte*>(s.fold.own) + at;
    s.fold.count = mine.size();
  }
}

/// Marks the steps that must see what other threads wrote since the last barrier, or that overwrite
/// what these may still read.
void settle(std::vector<command>& steps, std::size_t element);
/// Whether every step could read what it reads before any step writes, and none writes what another
/// does.
bool nothing_read_after_written(const std::vector<command>& steps, std::size_t element);

namespace collective_gpu {
/// One launch for a whole epoch; `guard` bounds its waits.
void run(element_type type, reduction op, const command_list& what, const device_guard& guard,
         const stream& on);
}  // namespace collective_gpu

}  // namespace gossamer
