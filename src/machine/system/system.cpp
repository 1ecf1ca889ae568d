// What a loaded system answers, and which ones come with the library.
#include "gossamer/machine/system.hpp"

#include <algorithm>

#include "gossamer/base/enum_name.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"
#include "machine/system/embedded.hpp"

namespace gossamer::model {

std::string_view to_string(memory where) noexcept {
  return where == memory::device ? "device" : "host";
}
std::string_view to_string(mover by) noexcept {
  return by == mover::processor ? "processor" : by == mover::engine ? "engine" : "adapter";
}
std::string_view to_string(topology_kind kind) noexcept {
  return enum_name<topology_kind::pcie_tree>(
      kind, {"torus", "ring", "all_to_all", "fat_tree", "pcie_tree"});
}

std::string_view to_string(collective_row::scale s) noexcept {
  if (s == collective_row::scale::none) return "none";
  return s == collective_row::scale::times_ranks ? "times_ranks" : "over_ranks";
}

double worker::seconds(double bytes, double operations) const noexcept {
  return launch + std::max(bytes / bandwidth, operations / rate);
}

const transfer_kind& system::kind_of(memory from, memory to, std::size_t bytes, bool within) const {
  const auto& rows = within ? copies : transfers;
  for (const auto& k : rows)
    if (k.from == from && k.to == to && (k.up_to == 0 || bytes <= k.up_to)) return k;
  throw usage_error("system " + shown(name) +
                    ": no transfer kind fits");  // check_rows rules it out
}

std::size_t collective_row::limit(int ranks) const noexcept {
  const auto p = static_cast<std::size_t>(std::max(ranks, 1));
  if (scaled == scale::times_ranks) return up_to * p;
  return scaled == scale::over_ranks ? up_to / p : up_to;
}

const collective_row* system::collective_of(std::string_view operation, std::size_t bytes,
                                            int ranks, memory buffers) const noexcept {
  for (const auto& row : collectives) {
    if (row.operation != operation || (row.buffers && *row.buffers != buffers)) continue;
    if (row.up_to == 0 || bytes <= row.limit(ranks)) return &row;
  }
  return nullptr;
}

void system::check_ranks(int ranks) const {
  if (largest == 0 || ranks <= largest) return;
  std::string text = "system '" + shown(name) + "' has " + std::to_string(nodes) + " nodes";
  if (largest > nodes) text += " and may be extended to " + std::to_string(largest);
  throw usage_error(text + ": " + std::to_string(ranks) + " ranks are too many");
}

std::string system::beyond(int ranks) const {
  if (nodes == 0 || ranks <= nodes) return {};
  return shown(name) + ": " + std::to_string(ranks) +
         " ranks are beyond the hardware described, which has " + std::to_string(nodes) +
         " nodes: its topology is extended";
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const auto& e : embedded_systems()) names.emplace_back(e.name);
  return names;
}

std::string_view system_text(std::string_view name) {
  std::string names;
  for (const auto& e : embedded_systems()) {
    if (e.name == name) return e.text;
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  }
  throw usage_error("no system '" + shown(name) + "'; there are " + names +
                    ", or a path to a .toml file");
}

}  // namespace gossamer::model
