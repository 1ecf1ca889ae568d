// make_link: the table entry of a pair of ranks, and the table in words.
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/system.hpp"
#include "gossamer/machine/topology.hpp"
#include "machine/cuda_backend.hpp"

namespace gossamer {

namespace {

using configuration::peer_access;

link between_gpus(const device& from, const device& to, peer_access allowed) {
  const bool same_gpu = from.ordinal == to.ordinal;
  const bool same_rank = same_gpu && from.share_index == to.share_index;
  link l;
  if (same_rank || (same_gpu && allowed != peer_access::off)) {
    l.how = reach::self;
    l.transport = "peer";
    l.load_store = true;
    l.atomic = same_rank || allowed == peer_access::on;
    l.proxied = !l.atomic;
    return l;
  }
  cuda_backend::pair_capability pair;
  if (allowed != peer_access::off) pair = cuda_backend::pair(from.ordinal, to.ordinal);
  if (allowed == peer_access::no_atomics) pair.atomic = false;
  l.how = pair.how;
  l.bandwidth = pair.bandwidth;
  if (pair.how == reach::none) {
    l.transport = "pinned";
    l.proxied = true;
    return l;
  }
  l.transport = "peer";
  l.load_store = true;
  l.atomic = pair.atomic;
  l.proxied = !pair.atomic;  // without native atomics the owner applies them
  return l;
}

// Modelled nodes see nothing of each other's memory; machine.cpp opens a rank's own.
link between_models(const model::system& system) {
  link l;
  l.transport = "sim";
  l.shares_host = false;
  l.proxied = true;
  const auto any_size = static_cast<std::size_t>(-1);
  l.bandwidth =
      system.kind_of(model::memory::device, model::memory::device, any_size, false).bandwidth;
  return l;
}

// Each process keeps its GPU's memory to itself: what others do there are messages to it. Host
// memory is shared as between CPU ranks.
link between_processes(const device& from, const device& to) {
  link l;
  l.transport = "mpi";
  l.shares_host = from.memory_group == to.memory_group;
  const bool same = from.process == to.process;
  l.how = same ? reach::self : reach::none;
  l.load_store = l.atomic = same;
  l.proxied = !same;
  return l;
}

}  // namespace

link make_link(const device& from, const device& to, peer_access allowed) {
  if (from.model != nullptr && to.model != nullptr) return between_models(*from.model);
  if (from.is_cuda() && from.process >= 0) return between_processes(from, to);
  if (from.is_cuda() && to.is_cuda()) return between_gpus(from, to, allowed);
  link l;
  l.how = reach::host;
  if (from.memory_group != to.memory_group) {
    l.how = reach::none;
    l.transport = "mpi";
    l.shares_host = false;
    l.proxied = true;
    return l;
  }
  if (!from.is_cuda() && !to.is_cuda()) {
    l.transport = from.process >= 0 ? "mpi" : "threads";
    l.load_store = l.atomic = true;
    return l;
  }
  l.transport = "peer";
  l.bandwidth = cuda_backend::host_bandwidth(from.is_cuda() ? from.ordinal : to.ordinal);
  // A CPU cannot load from GPU memory; a GPU can load from pinned memory, but its atomics there
  // are not atomic towards CPU threads (CUDA C++ Programming Guide, "Atomic Functions").
  l.load_store = from.is_cuda();
  l.proxied = !from.is_cuda();
  return l;
}

std::string_view to_string(reach how) noexcept {
  return enum_name<reach::none>(how, {"self", "nvlink", "pcie", "host", "none"});
}

std::string_view to_string(sharing how) noexcept {
  return enum_name<sharing::in_turn>(how, {"run alone", "run together", "take turns"});
}

namespace {

std::string describe_rank(const device& d) {
  std::string text = d.name + ", ";
  if (d.model != nullptr) return text + "modelled: " + d.model->title;
  if (!d.is_cuda())
    return text + std::to_string(d.threads) + (d.threads == 1 ? " thread" : " threads");
  text += "cuda:" + std::to_string(d.ordinal) + ", " + std::to_string(d.units) + " SMs, " +
          configuration::format_bytes(d.memory);
  if (d.share > 1)
    text += ", share " + std::to_string(d.share_index + 1) + " of " + std::to_string(d.share) +
            ", kernels " + std::string(to_string(shared_kernels(d)));
  return text;
}

std::string describe_link(const link& l) {
  std::string text = l.how == reach::none ? "no direct access" : std::string(to_string(l.how));
  text += ", transport " + l.transport;
  if (l.proxied) text += ", atomics by request";
  if (l.bandwidth > 0) {
    const auto tenths = std::llround(l.bandwidth / 1e8);
    text += ", " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB/s";
  }
  return text;
}

}  // namespace

std::string describe(const machine& m) {
  std::ostringstream text;
  std::map<std::string, std::ostringstream> groups;
  for (int i = 0; i < m.size(); ++i) {
    text << "rank " << i << ": " << describe_rank(m[i]) << "\n";
    for (int j = 0; j < m.size(); ++j)
      if (i != j) groups[describe_link(m.between(i, j))] << " " << i << "->" << j;
  }
  for (const auto& [kind, pairs] : groups) text << kind << ":" << pairs.str() << "\n";
  return text.str();
}

}  // namespace gossamer
