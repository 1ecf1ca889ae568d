// Every algorithm: a function that writes one rank's part. registry.cpp names and describes them.
#pragma once

#include "collective/algorithm/builder.hpp"

namespace gossamer::algorithms {

// broadcast.cpp
void broadcast_flat(builder& b);
void broadcast_binomial(builder& b);
void broadcast_ring(builder& b);
// broadcast_scatter_allgather.cpp
void broadcast_scatter_allgather(builder& b);
// relay.cpp
void broadcast_relay(builder& b);
void reduce_relay(builder& b);
void allreduce_relay(builder& b);
// scatter_gather.cpp
void scatter_direct(builder& b);
void scatter_binomial(builder& b);
void gather_direct(builder& b);
void gather_binomial(builder& b);
// reduce.cpp
void reduce_direct(builder& b);  // also with scratch in host memory
void reduce_binomial(builder& b);
void reduce_ring(builder& b);
void reduce_two_shot(builder& b);
// allgather.cpp
void allgather_direct(builder& b);
void allgather_ring(builder& b);
void allgather_ring_host(builder& b);
void allgather_bruck(builder& b);
// allgather_recursive_doubling.cpp
void allgather_recursive_doubling(builder& b);
// allreduce_shots.cpp
void allreduce_one_shot(builder& b);
void allreduce_two_shot(builder& b);
// allreduce_exchange.cpp
void allreduce_recursive_doubling(builder& b);
void allreduce_dissemination(builder& b);
void allreduce_bruck(builder& b);
// allreduce_ring.cpp
void allreduce_ring(builder& b);
// allreduce_recursive_halving.cpp
void allreduce_recursive_halving(builder& b);
// reduce_scatter.cpp
/// What all direct reductions begin with. Everybody pushes block r of its input to rank r, into the
/// slot of its own rank in that one's scratch, and waits for the blocks that come to it. Slots are
/// `slot` elements wide; 0 = as wide as the receiver's block. Takes signals 0 … p - 1.
void exchange_blocks(builder& b, std::size_t slot);
void reduce_scatter_direct(builder& b);
void reduce_scatter_ring(builder& b);
void reduce_scatter_recursive_halving(builder& b);
// all_to_all.cpp
void all_to_all_direct(builder& b);
void all_to_all_pairwise(builder& b);
void all_to_all_bruck(builder& b);
// barrier.cpp
void barrier_direct(builder& b);
void barrier_dissemination(builder& b);
void barrier_binomial(builder& b);

}  // namespace gossamer::algorithms
