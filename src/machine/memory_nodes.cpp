// Memory nodes by Linux's own calls, so that hwloc is not needed: its memory policies have the same
// calls below. libnuma's wrappers of them are no part of the C library.
#include "gossamer/machine/memory_nodes.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

/// "0-1,4": numbers and ranges of them, as the kernel writes lists.
std::vector<int> numbers_in(const std::string& list) {
  std::vector<int> found;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    std::istringstream range(part);
    int first = 0, last = 0;
    char dash = 0;
    if (!(range >> first)) continue;
    if (!(range >> dash >> last)) last = first;
    for (; first <= last; ++first) found.push_back(first);
  }
  return found;
}

std::string text_of(const std::vector<int>& nodes) {
  std::string text = nodes.size() == 1 ? "node " : "nodes ";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(nodes[i]);
  return text;
}

}  // namespace

std::vector<int> memory_nodes(const std::string& root) {
  std::ifstream file(root + "/proc/self/status");
  constexpr std::string_view key = "Mems_allowed_list:";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      if (auto nodes = numbers_in(line.substr(key.size())); !nodes.empty()) return nodes;
  return {0};
}

void require_memory_node(int node, const std::string& root) {
  const std::vector<int> nodes = memory_nodes(root);
  require(std::find(nodes.begin(), nodes.end(), node) != nodes.end(),
          "memory_node " + std::to_string(node) + ": this host has " + text_of(nodes));
}

std::int64_t memory_left_on(int node, const std::string& root) {
  std::ifstream file(root + "/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  std::int64_t kib = 0;
  bool known = false;
  for (std::string line; std::getline(file, line);) {
    // "Node 0 MemFree:  1234 kB"
    std::istringstream words(line);
    std::string word, number, key;
    std::int64_t value = 0;
    if (!(words >> word >> number >> key >> value)) continue;
    if (key != "MemFree:" && key != "Active(file):" && key != "Inactive(file):") continue;
    known = true;
    kib += value;
  }
  return known ? kib * 1024 : std::numeric_limits<std::int64_t>::max();
}

void take_from_node(void* data, std::size_t bytes, int node) {
  require_memory_node(node);
  constexpr std::size_t word_bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(static_cast<std::size_t>(node) / word_bits + 1);
  mask.back() = 1UL << (static_cast<std::size_t>(node) % word_bits);
  // The kernel looks at one bit less than it is told.
  const long failed =
      syscall(SYS_mbind, data, bytes, MPOL_BIND, mask.data(), word_bits * mask.size() + 1, 0U);
  const int code = errno;
  // Where there is one node, its memory comes from there anyway.
  if (failed != 0 && memory_nodes().size() > 1)
    throw foreign_error(
        "memory_node " + std::to_string(node) + ": mbind: " + std::generic_category().message(code),
        code, false);
}

int memory_node_of(const void* data) {
  void* page = const_cast<void*>(data);
  int node = -1;
  // Without nodes to move to, move_pages only tells.
  const long failed = syscall(SYS_move_pages, 0, 1UL, &page, nullptr, &node, 0);
  return failed == 0 && node >= 0 ? node : -1;
}

}  // namespace gossamer
