// One line for each algorithm: operation, name, description, properties, and the function that
// writes one rank's part.
#include "collective/algorithm/registry.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "collective/algorithm/algorithms.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer {

namespace {

using namespace algorithms;
using op = collective_op;

struct entry {
  algorithm_info info;
  algorithm_function code = nullptr;
};

constexpr std::array table = {
    entry{{op::broadcast, "flat", "root to each in turn, one hop"}, broadcast_flat},
    entry{{op::broadcast, "binomial", "tree with distance halving, log2 p rounds"},
          broadcast_binomial},
    entry{
        {op::broadcast, "scatter_allgather", "binomial scatter, ring allgather: 2 vectors a rank"},
        broadcast_scatter_allgather},
    entry{{.op = op::broadcast,
           .name = "ring",
           .summary = "chain in pieces: every link carries 1 vector",
           .many_pieces = true},
          broadcast_ring},
    entry{{.op = op::broadcast,
           .name = "relay",
           .summary = "shares to all, each passed on, in pieces: 1 vector, two hops",
           .many_pieces = true},
          broadcast_relay},
    entry{{op::scatter, "direct", "root to each in turn, one chain"}, scatter_direct},
    entry{{op::scatter, "binomial", "halves down a tree, log2 p rounds"}, scatter_binomial},
    entry{{op::gather, "direct", "each to the root, one hop"}, gather_direct},
    entry{{op::gather, "binomial", "subtrees up a tree, log2 p rounds"}, gather_binomial},
    entry{{op::reduce, "direct", "gather to the root's device, one kernel"}, reduce_direct},
    entry{{.op = op::reduce,
           .name = "direct_host",
           .summary = "gather to host memory, reduce on the CPU, copy up",
           .host_scratch = true},
          reduce_direct},
    entry{{op::reduce, "binomial", "up a tree, log2 p rounds of 1 vector"}, reduce_binomial},
    entry{{op::reduce, "two_shot", "reduce-scatter, gather: 2 vectors into the root"},
          reduce_two_shot},
    entry{{.op = op::reduce,
           .name = "ring",
           .summary = "chain in pieces: every link carries 1 vector",
           .many_pieces = true},
          reduce_ring},
    entry{{.op = op::reduce,
           .name = "relay",
           .summary = "each folds a share for the root, in pieces: 1 vector, two hops",
           .many_pieces = true},
          reduce_relay},
    entry{{op::allgather, "direct", "each to each, one hop"}, allgather_direct},
    entry{{op::allgather, "recursive_doubling", "partners at distance 1, 2, 4, …"},
          allgather_recursive_doubling},
    entry{{op::allgather, "bruck", "log2 p rounds for any p, one local copy"}, allgather_bruck},
    entry{{op::allgather, "ring", "p - 1 rounds to the successor"}, allgather_ring},
    entry{{.op = op::allgather,
           .name = "ring_host",
           .summary = "the ring in host memory, copied up as blocks come",
           .host_scratch = true},
          allgather_ring_host},
    entry{{op::allreduce, "one_shot", "each to each, fold all: one hop, p vectors"},
          allreduce_one_shot},
    entry{{op::allreduce, "two_shot", "each folds a block: two hops, 2 vectors"},
          allreduce_two_shot},
    entry{{op::allreduce, "recursive_doubling", "log2 p rounds of 1 vector"},
          allreduce_recursive_doubling},
    entry{{.op = op::allreduce,
           .name = "dissemination",
           .summary = "log2 p rounds of 1 vector, rotated order",
           .same_bits = false},
          allreduce_dissemination},
    entry{{op::allreduce, "bruck", "log2 p rounds for any p, fold all: p vectors"},
          allreduce_bruck},
    entry{{op::allreduce, "recursive_halving", "halve and double: 2 log2 p rounds, 2 vectors"},
          allreduce_recursive_halving},
    entry{{op::allreduce, "ring", "2 (p - 1) rounds to the successor, 2 vectors"}, allreduce_ring},
    entry{{.op = op::allreduce,
           .name = "relay",
           .summary = "each folds a share for all, in pieces: 2 vectors, two hops",
           .many_pieces = true},
          allreduce_relay},
    entry{{op::reduce_scatter, "direct", "block r to rank r, one hop"}, reduce_scatter_direct},
    entry{{op::reduce_scatter, "recursive_halving", "log2 p rounds, 1 vector"},
          reduce_scatter_recursive_halving},
    entry{{op::reduce_scatter, "ring", "p - 1 rounds to the successor, 1 vector"},
          reduce_scatter_ring},
    entry{{op::all_to_all, "direct", "each to each, one hop"}, all_to_all_direct},
    entry{{op::all_to_all, "pairwise", "p - 1 rounds, one peer at a time"}, all_to_all_pairwise},
    entry{{op::all_to_all, "bruck", "log2 p rounds of p / 2 blocks"}, all_to_all_bruck},
    entry{{op::all_to_all_v, "direct", "each to each, one hop"}, all_to_all_direct},
    entry{{op::all_to_all_v, "pairwise", "p - 1 rounds, one peer at a time"}, all_to_all_pairwise},
    entry{{op::barrier, "direct", "each to each, one hop"}, barrier_direct},
    entry{{op::barrier, "dissemination", "log2 p rounds"}, barrier_dissemination},
    entry{{op::barrier, "binomial", "up and down a tree, fewest signals"}, barrier_binomial},
};

// What a library does is its own affair: it promises no bits, and the tuner leaves it out.
constexpr algorithm_info by_nccl(op o) {
  return {.op = o,
          .name = "nccl",
          .summary = "NVIDIA's library, on GPUs of one process",
          .same_bits = false};
}
constexpr std::array libraries = {by_nccl(op::broadcast), by_nccl(op::reduce),
                                  by_nccl(op::allgather), by_nccl(op::allreduce),
                                  by_nccl(op::reduce_scatter)};

/// Those of libraries come last.
constexpr auto infos = [] {
  std::array<algorithm_info, table.size() + libraries.size()> all{};
  for (std::size_t i = 0; i < table.size(); ++i) all[i] = table[i].info;
  std::copy(libraries.begin(), libraries.end(), all.begin() + table.size());
  return all;
}();

constexpr std::array<std::string_view, collective_ops> names = {
    "broadcast", "scatter",        "gather",     "reduce",       "allgather",
    "allreduce", "reduce_scatter", "all_to_all", "all_to_all_v", "barrier"};

}  // namespace

std::string_view name_of(collective_op o) noexcept {
  return names[static_cast<std::size_t>(o)];
}

collective_op parse_collective_op(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<collective_op>(i);
    known += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  throw usage_error("no collective '" + shown(name) + "' (there are: " + known + ")");
}

std::span<const algorithm_info> collective_algorithms() {
  return std::span(infos).first(table.size());
}
std::span<const algorithm_info> library_algorithms() {
  return std::span(infos).last(libraries.size());
}
const algorithm_info& algorithm_at(std::size_t index) {
  return infos[index];
}

std::size_t find_algorithm(collective_op o, std::string_view name, bool libraries) {
  std::string known;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].op != o) continue;
    if (infos[i].name == name) return i;
    if (libraries || i < table.size())
      known += (known.empty() ? "" : ", ") + std::string(infos[i].name);
  }
  throw usage_error(std::string(name_of(o)) + ": no algorithm '" + std::string(name) +
                    "' (there are: " + known + ")");
}

algorithm_function algorithm_code(std::size_t index) {
  return index < table.size() ? table[index].code : nullptr;
}

}  // namespace gossamer
