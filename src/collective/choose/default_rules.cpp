// Writes the default rules of a few GPUs as text, by the number of ranks and whether NCCL may be
// used. See docs/design/collectives.md for what was measured.
#include "collective/choose/default_rules.hpp"

#include <algorithm>
#include <string>

namespace gossamer {

std::string few_gpus_rules(int ranks, bool library) {
  // One hop to all costs less than two of a part each up to some 200 KiB, and two up to the longest
  // that is packed (packed_hops.hpp; four ranks are the most that were measured). Long vectors lose
  // least in a chain, where every link has one sender and one receiver. Two ranks need no chain for
  // what one sends the other.
  if (ranks <= 2)
    return "broadcast:0-inf:@flat; reduce:0-513k:@direct,513k-32m:@two_shot,32m-inf:@ring; "
           "allreduce:0-513k:@one_shot,513k-inf:@two_shot";
  const auto parts = [](int n) { return std::to_string(std::min(n, 4) * 512 + 1) + "k"; };
  const std::string relayed = parts(std::min(ranks - 1, 3)), summed = parts(ranks);
  return "broadcast:0-200k:@flat,200k-" + relayed + ":@relay," + relayed +
         "-5m:@binomial,5m-inf:@ring; reduce:0-3m:@direct,3m-32m:@two_shot," +
         (library ? "32m-128m:@ring,128m-inf:@nccl; " : "32m-inf:@ring; ") +
         "allreduce:0-200k:@one_shot,200k-" + summed + ":@two_shot," + summed +
         "-3m:@dissemination,3m-32m:@two_shot,32m-inf:@ring";
}

bool library_may(std::size_t bytes, reduction how, const plan_options& options) {
  return bytes >= library_from && how != reduction::bit_or && options.counts.empty() &&
         options.mapping.empty() && options.segments == 0 && !options.via_host && !options.apart &&
         options.runner == plan_runner::automatic;
}

}  // namespace gossamer
