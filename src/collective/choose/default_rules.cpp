// Writes the default rules of a few GPUs as text, by the number of ranks and whether NCCL may be
// used. See docs/design/collectives.md for what was measured.
#include "collective/choose/default_rules.hpp"

namespace gossamer {

std::string few_gpus_rules(int ranks, bool library) {
  // A root's stores to all cost less than a second hop, up to 512 KiB (one_hop.hpp). Long vectors
  // lose least in a chain, where every link has one sender and one receiver. Two ranks need no
  // chain for what one sends the other.
  if (ranks == 2)
    return "broadcast:0-inf:@flat; reduce:0-513k:@direct,513k-32m:@two_shot,32m-inf:@ring; "
           "allreduce:0-513k:@one_shot,513k-inf:@two_shot";
  return std::string("broadcast:0-513k:@flat,513k-5m:@binomial,5m-inf:@ring; ") +
         "reduce:0-3m:@direct,3m-32m:@two_shot," +
         (library ? "32m-128m:@ring,128m-inf:@nccl; " : "32m-inf:@ring; ") +
         "allreduce:0-513k:@one_shot,513k-3m:@dissemination,3m-32m:@two_shot,32m-inf:@ring";
}

bool library_may(std::size_t bytes, reduction how, const plan_options& options) {
  return bytes >= library_from && how != reduction::bit_or && options.counts.empty() &&
         options.mapping.empty() && options.segments == 0 && !options.via_host && !options.apart &&
         options.runner == plan_runner::automatic;
}

}  // namespace gossamer
