// Pointer chasing: how many dependent references to memory a core keeps under way (paper D).
//
// A list is a cycle through all nodes of an array, one cache line each, in random order, so that
// every step misses the caches. A rank follows several lists at a time. With one, a step lasts as
// long as the memory's latency. The more lists there are, the more latency is hidden, until the
// core can have no further miss under way.
//
//   node_list list(1 << 24);                               // 1 GiB
//   auto m = machine::open("cpu:2x1");
//   auto r = chase_pointers(m, list, {.way = chase_way::tasks, .in_flight = 48});
//   r.rate                                                 // references a second, all ranks
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "gossamer/machine/machine.hpp"

namespace gossamer {

/// One cache line.
struct alignas(64) list_node {
  list_node* next;
  std::uint64_t position;  ///< in the cycle: what a walk can be checked by
};

/// An array of nodes, linked to one cycle in an order drawn from a seed.
class node_list {
 public:
  /// `nodes`: at least 2; 64 bytes each. `huge_pages`: asks the system for pages of 1 GiB, where
  /// the list is as long, then for those of 2 MiB; page_bytes() and huge_bytes() say what it gave.
  /// `memory_node`: of the host (memory_nodes()), all of whose pages the list then has; without one
  /// it lies where the thread that makes it runs.
  ///
  /// usage_error for fewer nodes and for a memory node that the host has not, capacity_error where
  /// that has too little left, or the host or GOSSAMER_MEMORY too little for so many nodes,
  /// std::bad_alloc when memory is short, foreign_error where no process may choose a node.
  explicit node_list(std::int64_t nodes, std::uint64_t seed = 1, bool huge_pages = true,
                     std::optional<int> memory_node = {});
  ~node_list();
  node_list(node_list&&) noexcept;

  [[nodiscard]] std::int64_t size() const noexcept { return nodes_; }
  /// The node at a position of the cycle, counted from anywhere.
  [[nodiscard]] list_node* at(std::uint64_t position) const noexcept;
  /// Bytes of the array that lie on huge pages, as the system says now; 0 where it does not say.
  [[nodiscard]] std::int64_t huge_bytes() const;
  /// Of one of those pages; of an ordinary one where there is none.
  [[nodiscard]] std::int64_t page_bytes() const;
  /// What it was made on.
  [[nodiscard]] std::optional<int> memory_node() const noexcept { return memory_node_; }

 private:
  struct block;
  std::unique_ptr<block> memory_;
  std::int64_t nodes_;
  std::uint64_t seed_;
  std::optional<int> memory_node_;
};

enum class chase_way {
  loop,    ///< lists in one loop, each next node prefetched: the best that can be done by hand
  tasks,   ///< a task for each list, which yields at each reference
  fibers,  ///< the same with stacks, by Boost.Context
};
std::string_view to_string(chase_way way) noexcept;

struct chase_options {
  chase_way way = chase_way::tasks;
  std::int64_t in_flight = 48;        ///< lists that each rank follows at a time
  std::int64_t references = 1 << 22;  ///< steps a rank, shared out among its lists evenly
  std::uint64_t draw = 0;             ///< where the lists begin: another number, other nodes

  // By tasks alone:
  /// Each completes so much later than it was issued; the memory's own latency is within.
  std::chrono::nanoseconds delay{0};
  std::int64_t working_set = 0;  ///< bytes that each list's task has beside it
  std::int64_t updates = 0;      ///< of words of the working set, after each reference
  /// On modelled systems the chip in whose memory the list lies: 0 without one. Ranks are the cores
  /// of chip 0, then those of the next ones. Elsewhere, if any, the one that the list was made on.
  std::optional<int> memory_node;
  run_options run;
};

struct chase_result {
  double seconds = 0;           ///< slowest rank
  std::int64_t references = 0;  ///< of all ranks
  double rate = 0;              ///< references a second
};

/// Every rank follows its own part of the list and checks where it arrived: verification_error when
/// that is not the node that it must be. usage_error for numbers that are not positive, for delays
/// and working sets by another way than tasks, for a memory node that the list was not made on, and
/// on machines that are not CPU ranks of this process; not_compiled for fibers without
/// Boost.Context.
///
/// On a modelled system whose description has `chips`, ranks are the cores of one node. No list is
/// walked there, and seconds are virtual (docs/design/tasks.md).
chase_result chase_pointers(machine& m, const node_list& list, const chase_options& options);

}  // namespace gossamer
