// Writes the default rules of a few GPUs as text, by the number of ranks and whether NCCL may be
// used. See docs/design/collectives.md for what was measured.
#include "collective/choose/default_rules.hpp"

namespace gossamer {

std::string few_gpus_rules(int ranks, bool library) {
  // A root's stores to all cost less than a second hop (one_hop.hpp). Long vectors lose least in a
  // chain, where every link has one sender and one receiver. Two ranks need no chain for what one
  // sends the other.
  const std::string longest = library && ranks > 2 ? "@nccl" : "@ring";
  const std::string large =
      ranks > 2 ? "64k-32m:@scatter_allgather,32m-inf:" + longest : std::string("64k-inf:@flat");
  std::string rules = "broadcast:0-4097:@flat,4097-64k:@binomial," + large +
                      "; reduce:0-16k:@direct,16k-32m:@two_shot,32m-inf:" + longest;
  if (library && ranks > 2) rules += "; allreduce:0-16k:@one_shot,16k-8m:@two_shot,8m-inf:@nccl";
  return rules;
}

bool library_may(std::size_t bytes, reduction how, const plan_options& options) {
  return bytes >= library_from && how != reduction::bit_or && options.counts.empty() &&
         options.mapping.empty() && options.segments == 0 && !options.via_host && !options.apart &&
         options.runner == plan_runner::automatic;
}

}  // namespace gossamer
