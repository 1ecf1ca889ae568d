// A command list (command_list.hpp) in which data makes one hop or two, packed. There is a thread
// of the GPU for each pair of words of its messages. The first hop goes from where data lies to
// where it belongs or into one sum. The second passes on the sum, or what came first, from a
// register.
//
// Most short collectives are one hop: flat broadcast, direct scatter, gather and reduce, the
// exchanges. Longer ones make two, of a part for each rank: two_shot, and relay in one piece.
// Interpreting their steps takes longer than the wire (docs/design/collectives.md). So a kernel of
// its own does what they say, with the same words in the same inboxes: peers that interpret do not
// notice.
//
// In an epoch every thread reads all it needs of the caller's memory, stores its pairs to the
// peers, and only then writes what comes. Blocks do not wait for each other, so that several must
// not write what others read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collective/kernel/command_list.hpp"

namespace gossamer {

struct packed_hops {
  static constexpr int most_peers = 7;
  static constexpr int most_threads = 512;  ///< of a block

  struct sending {
    const std::uint32_t* from = nullptr;
    std::uint64_t* words = nullptr;  ///< of turn 0
    std::uint32_t bytes = 0;
    std::uint32_t stride = 0;  ///< words from one turn's inbox to the next one's
  };
  struct receiving {
    std::uint64_t* words = nullptr;  ///< of turn 0
    std::uint32_t* to = nullptr;     ///< null: an operand of the sum, or only sent on
    std::uint32_t bytes = 0;
    std::int32_t peer = -1;
  };
  struct relay {
    std::uint64_t* words = nullptr;  ///< of turn 0
    std::uint32_t stride = 0;
  };
  struct credit {
    const std::uint64_t* counter = nullptr;
    std::int32_t peer = -1, signal = -1;
  };
  sending sends[most_peers];
  receiving receives[most_peers];     ///< operands of the sum in the order of ranks
  relay relays[most_peers];           ///< the second hop of the sum, or of receives[0]
  receiving later[most_peers];        ///< what others' second hops bring
  credit credits[most_peers];         ///< waited for: this epoch less the turns
  std::uint64_t* grants[most_peers];  ///< credits given, of the epoch before; twice in all turns
  int send_count = 0, receive_count = 0, relay_count = 0, later_count = 0, credit_count = 0,
      grant_count = 0;

  const std::uint32_t* kept = nullptr;  ///< copied to `kept_to`, or the own operand of the sum
  std::uint32_t* kept_to = nullptr;
  std::uint32_t* sum_to = nullptr;  ///< null: only sent on
  int own_part = -1;                ///< of the sum; -1 = nothing is summed
  std::uint32_t kept_bytes = 0, sum_bytes = 0, relay_bytes = 0;

  int turns = 2;
  std::uint32_t stride = 0;      ///< words from one turn's own inbox to the next one's
  int blocks = 1, threads = 32;  ///< powers of two
  std::uint64_t* epoch = nullptr;
  std::uint32_t* arrivals = nullptr;  ///< several blocks: that have read the epoch, in all epochs
  std::uint32_t signals = 0, inbox = 0;  ///< ids of the tables, for messages
};

/// The command list that `p` describes, whose steps are `all` ([turns][count], in host memory), as
/// packed hops; nothing if it is not that.
std::optional<packed_hops> as_packed_hops(const command_list& p, const std::vector<command>& all,
                                          std::size_t element);

namespace collective_gpu {
/// One launch for a whole epoch; `guard` bounds its waits.
void run(element_type type, reduction op, const packed_hops& what, const device_guard& guard,
         const stream& on);
}  // namespace collective_gpu

}  // namespace gossamer
