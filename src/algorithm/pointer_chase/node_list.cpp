// The list in memory: mapped, on huge pages where the system grants them, linked in random order.
#include <sys/mman.h>

#include <fstream>
#include <new>
#include <string>

#include "gossamer/algorithm/pointer_chase.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
}

struct node_list::block {
  block(std::size_t bytes, bool huge) : bytes(bytes + huge_page) {
    begin = mmap(nullptr, this->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + huge_page - 1) & ~(huge_page - 1);
    nodes = reinterpret_cast<list_node*>(first);
    // Refused where the kernel has none: huge_bytes() then says 0.
    madvise(nodes, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  ~block() { munmap(begin, bytes); }
  block(const block&) = delete;

  void* begin;
  std::size_t bytes;
  list_node* nodes;
};

node_list::node_list(std::int64_t nodes, std::uint64_t seed, bool huge_pages)
    : nodes_(nodes), seed_(seed) {
  require(nodes >= 2, "pointer chasing: a list of two nodes at least");
  memory_ =
      std::make_unique<block>(static_cast<std::size_t>(nodes) * sizeof(list_node), huge_pages);
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

std::int64_t node_list::huge_bytes() const {
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
