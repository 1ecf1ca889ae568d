// What is on its way between the ranks of a replay, and when its target sees it: signals of a pair
// of ranks in the order they were sent, each when every earlier put of the pair is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "gossamer/fabric/network.hpp"

namespace gossamer::model {

class transfers {
 public:
  struct sent {
    int rank = 0, peer = 0;
    int signal = -1;  ///< raised at the peer; -1 = none
    int cause = -1;   ///< the sender's when it started it
    bool arrived = false;
  };

  explicit transfers(network& over) : net_(over) {}

  network::id start(double clock, const sent& what, const transfer_kind& kind, std::size_t bytes,
                    bool first_of_chain) {
    const auto id = net_.inject(clock, what.rank, what.peer, kind, bytes, first_of_chain);
    if (sent_.size() <= id) sent_.resize(id + 1);
    sent_[id] = what;
    pairs_[pair_of(what.rank, what.peer)].push_back(id);
    return id;
  }
  /// A signal alone that follows a put travels with it.
  void add_signal(network::id which, int signal) { sent_[which].signal = signal; }
  [[nodiscard]] const sent& operator[](network::id which) const { return sent_[which]; }
  /// True when the target has seen all that went from one rank to another.
  [[nodiscard]] bool all_seen(int from, int to) const {
    const auto pair = pairs_.find(pair_of(from, to));
    return pair == pairs_.end() || pair->second.empty();
  }
  /// A transfer is there; calls see(signal) for each one that its target sees now, in order. Their
  /// ids may be used again after it.
  template <class See>
  void arrive(network::id which, const See& see) {
    sent_[which].arrived = true;
    auto& pair = pairs_[pair_of(sent_[which].rank, sent_[which].peer)];
    while (!pair.empty() && sent_[pair.front()].arrived) {
      see(sent_[pair.front()].signal);
      net_.forget(pair.front());
      pair.pop_front();
    }
  }

 private:
  [[nodiscard]] static std::uint64_t pair_of(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  }

  network& net_;
  std::vector<sent> sent_;                                            ///< by id
  std::unordered_map<std::uint64_t, std::deque<network::id>> pairs_;  ///< not yet seen, in order
};

}  // namespace gossamer::model
