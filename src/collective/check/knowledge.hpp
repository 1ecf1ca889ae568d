// What each rank of a checked schedule knows to have happened: vector clocks, and the puts under
// way between ranks. See checked_memory.hpp for when a put's accesses count as done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "collective/check/checked_memory.hpp"

namespace gossamer::checker {

class knowledge {
 public:
  /// What a signal tells whoever waits for it.
  struct news {
    vector_clock knew;     ///< by the rank that raised it
    std::size_t puts = 0;  ///< of this pair, before the signal
  };

  explicit knowledge(int ranks)
      : ranks_(ranks),
        clocks_(static_cast<std::size_t>(ranks), vector_clock(static_cast<std::size_t>(ranks), 0)),
        pairs_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  /// Rank r does something: its time.
  std::uint32_t tick(int r) { return ++clocks_[r][r]; }
  /// The latest time of `other` that r knows of.
  [[nodiscard]] std::uint32_t latest(int r, int other) const { return clocks_[r][other]; }
  /// True when rank r knows that `before` is done.
  [[nodiscard]] bool ordered(const access& before, bool was_read, int r) const {
    if (before.rank < 0) return true;
    const auto& knows = clocks_[r];
    if (before.put < 0) return knows[before.rank] >= before.time;
    const auto& t = puts_[before.put];
    if (t.arrived != 0 && knows[t.to] >= t.arrived) return true;
    return was_read && t.flushed != 0 && knows[t.from] >= t.flushed;
  }

  /// A put begins: its index, for access::put.
  int put(int from, int to) {
    const int index = static_cast<int>(puts_.size());
    puts_.push_back({from, to});
    pair_of(from, to).puts.push_back(index);
    return index;
  }
  /// What a signal raised now tells.
  [[nodiscard]] news tell(int from, int to) {
    return {clocks_[from], pair_of(from, to).puts.size()};
  }
  /// Rank r hears at `time` what `from` told.
  void hear(int r, int from, const news& what, std::uint32_t time) {
    auto& mine = clocks_[r];
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = std::max(mine[i], what.knew[i]);
    auto& pair = pair_of(from, r);
    for (; pair.arrived < what.puts; ++pair.arrived) puts_[pair.puts[pair.arrived]].arrived = time;
  }
  /// `from` has waited until its puts to `to` are done with its memory.
  void flush(int from, int to, std::uint32_t time) {
    auto& pair = pair_of(from, to);
    for (; pair.flushed < pair.puts.size(); ++pair.flushed)
      puts_[pair.puts[pair.flushed]].flushed = time;
  }

 private:
  /// A put under way. Times are 0 until known.
  struct transfer {
    int from, to;
    std::uint32_t arrived = 0;  ///< on the target's clock
    std::uint32_t flushed = 0;  ///< on the source's clock
  };
  struct pair_state {
    std::vector<int> puts;  ///< in order
    std::size_t arrived = 0, flushed = 0;
  };
  [[nodiscard]] pair_state& pair_of(int from, int to) { return pairs_[from * ranks_ + to]; }

  int ranks_;
  std::vector<vector_clock> clocks_;
  std::vector<pair_state> pairs_;
  std::vector<transfer> puts_;
};

/// A counter of one rank: who raises it, and what the raiser knew at each epoch not yet waited for.
struct counter {
  int writer = -1;
  int epoch = 0;
  std::map<int, knowledge::news> history;

  void raise(int by, int in, knowledge::news told) {
    writer = by;
    epoch = in;
    history[in] = std::move(told);
  }
  /// What was told at epoch `of`, once; earlier news are forgotten.
  std::optional<knowledge::news> take(int of) {
    const auto seen = history.find(of);
    if (seen == history.end()) return {};
    std::optional<knowledge::news> told(std::move(seen->second));
    history.erase(history.begin(), std::next(seen));
    return told;
  }
};

}  // namespace gossamer::checker
