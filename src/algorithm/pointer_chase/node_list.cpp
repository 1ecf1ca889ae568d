// The list in memory: mapped, on the largest pages that the system grants, linked in random order.
#include <linux/mman.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <string>

#include "gossamer/algorithm/pointer_chase.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/random.hpp"
#include "gossamer/machine/memory_nodes.hpp"

namespace gossamer {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t giant_page = std::size_t{1} << 30;
constexpr auto node_bytes = static_cast<std::int64_t>(sizeof(list_node));
constexpr std::int64_t most_nodes = std::int64_t{1} << 52;
/// MADV_POPULATE_WRITE of Linux 5.14, which older headers lack.
constexpr int populate_for_writing = 23;

struct unmapping {
  std::size_t bytes;
  void operator()(void* begin) const { munmap(begin, bytes); }
};
using mapping = std::unique_ptr<void, unmapping>;

/// Nothing where the system refuses.
mapping mapped(std::size_t bytes, int flags) {
  void* begin =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return {begin == MAP_FAILED ? nullptr : begin, {bytes}};
}

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t page) {
  return (bytes + page - 1) & ~(page - 1);
}

/// On pages of 1 GiB, which the host's administrator sets aside; nothing where too few are left.
/// All of them are taken here: of a node, or a container, that has fewer than the host, the first
/// touch of one that is missing would end the process.
mapping on_giant_pages(std::size_t bytes, std::optional<int> node) {
  bytes = rounded_up(bytes, giant_page);
  mapping found = mapped(bytes, MAP_HUGETLB | MAP_HUGE_1GB);
  if (found == nullptr) return found;
  if (node) take_from_node(found.get(), bytes, *node);
  if (madvise(found.get(), bytes, populate_for_writing) != 0) found.reset();
  return found;
}

/// A host that is full would refuse, and a node that is full ends the process.
void require_left_on(int node, std::size_t bytes) {
  require_memory_node(node);
  const auto wanted = static_cast<std::int64_t>(bytes);
  const std::int64_t left = memory_left_on(node);
  if (wanted > left)
    throw capacity_error("memory_node " + std::to_string(node) + ": wanted " +
                         configuration::format_bytes(wanted) + ", available " +
                         configuration::format_bytes(left));
}

/// `most`: what the host has left, or GOSSAMER_MEMORY.
void require_fits(std::int64_t nodes, const memory_limit& most) {
  if (nodes > most.bytes / node_bytes)
    throw capacity_error("pointer chasing: a list of " + std::to_string(nodes) +
                         " nodes of 64 bytes does not fit; the limit is " +
                         configuration::format_bytes(most.bytes) + " (" + most.source + ")");
}

}  // namespace

struct node_list::block {
  /// Pages of 1 GiB are set aside: they are not among what the host has left, but GOSSAMER_MEMORY
  /// counts them.
  block(std::int64_t count, bool huge, std::optional<int> node) {
    const memory_limit most = host_memory_limit();
    if (!most.left) require_fits(count, most);
    // More than any host has, so that the product fits: one of the two below refuses it.
    const auto bytes = static_cast<std::size_t>(std::min(count, most_nodes) * node_bytes);
    if (huge && bytes >= giant_page) memory = on_giant_pages(bytes, node);
    giant = memory != nullptr;
    if (!giant) {
      if (node) require_left_on(*node, bytes);
      require_fits(count, most);
      memory = mapped(bytes + huge_page, 0);
    }
    if (memory == nullptr) throw std::bad_alloc();
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.get());
    nodes = reinterpret_cast<list_node*>(rounded_up(begin, huge_page));
    if (giant) return;
    // Refused where the kernel has none: huge_bytes() then says 0.
    madvise(nodes, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    if (node) take_from_node(nodes, bytes, *node);
  }

  mapping memory;
  bool giant = false;  ///< on pages of 1 GiB
  list_node* nodes = nullptr;
};

node_list::node_list(std::int64_t nodes, std::uint64_t seed, bool huge_pages,
                     std::optional<int> memory_node)
    : nodes_(nodes), seed_(seed), memory_node_(memory_node) {
  require(nodes >= 2, "pointer chasing: a list of two nodes at least");
  memory_ = std::make_unique<block>(nodes, huge_pages, memory_node);
  list_node* before = at(static_cast<std::uint64_t>(nodes) - 1);
  for (std::uint64_t position = 0; position < static_cast<std::uint64_t>(nodes); ++position) {
    list_node* node = at(position);
    node->position = position;
    before->next = node;
    before = node;
  }
}

node_list::~node_list() = default;
node_list::node_list(node_list&&) noexcept = default;

list_node* node_list::at(std::uint64_t position) const noexcept {
  const auto n = static_cast<std::uint64_t>(nodes_);
  return memory_->nodes + permutation::of(n, seed_)(position % n);
}

std::int64_t node_list::page_bytes() const {
  if (memory_->giant) return giant_page;
  return huge_bytes() > 0 ? static_cast<std::int64_t>(huge_page) : sysconf(_SC_PAGESIZE);
}

std::int64_t node_list::huge_bytes() const {
  if (memory_->giant) return nodes_ * static_cast<std::int64_t>(sizeof(list_node));
  // The mapping's own entry in smaps: "BEGIN-END …", then lines "AnonHugePages: KB kB".
  std::ifstream maps("/proc/self/smaps");
  const auto inside = reinterpret_cast<std::uintptr_t>(memory_->nodes);
  bool mine = false;
  for (std::string line; std::getline(maps, line);) {
    const auto dash = line.find('-');
    if (dash != std::string::npos && dash < line.find(' ') && line.find(':') > dash) {
      const auto begin = std::stoull(line, nullptr, 16);
      const auto end = std::stoull(line.substr(dash + 1), nullptr, 16);
      mine = begin <= inside && inside < end;
    } else if (mine && line.starts_with("AnonHugePages:")) {
      return std::stoll(line.substr(14)) * 1024;
    }
  }
  return 0;
}

}  // namespace gossamer
