// Each process says which GPU it takes, by its number on the host. All reports are gathered once
// and become the job's devices.
#include "machine/process_gpus.hpp"

#include <array>
#include <cstring>
#include <string>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::processes {

namespace {

// What a process says of the GPU it drives; sent as bytes.
struct report {
  std::array<char, 128> name{};  ///< or why it has none
  std::array<char, 32> pci{};
  std::int64_t memory = 0;
  std::int32_t ordinal = -1, units = 0, straight = 0;
};

template <std::size_t N>
void write(std::array<char, N>& to, const std::string& text) {
  std::strncpy(to.data(), text.c_str(), N - 1);
}

bool hands_gpu_memory_over() {
  switch (configuration::mpi_cuda()) {
    case configuration::gpu_messages::straight:
      return true;
    case configuration::gpu_messages::pinned:
      return false;
    case configuration::gpu_messages::automatic:
      break;
  }
  return takes_gpu_memory();
}

report own_report(const job& all) {
  report mine;
  const auto there = cuda_devices();
  if (there.empty()) {
    write(mine.name, cuda_unavailable_reason());
    return mine;
  }
  const auto& d = there[static_cast<std::size_t>(local_rank(all, all.rank)) % there.size()];
  write(mine.name, d.name);
  write(mine.pci, d.pci);
  mine.memory = d.memory;
  mine.ordinal = d.ordinal;
  mine.units = d.units;
  mine.straight = hands_gpu_memory_over() ? 1 : 0;
  return mine;
}

gpu_job make_job() {
  if (cuda_unavailable_reason() == "not compiled in")
    throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
  const job& all = join();
  const report mine = own_report(all);
  const auto bytes = gather(std::as_bytes(std::span(&mine, 1)));
  gpu_job found;
  found.straight = true;
  for (int rank = 0; rank < all.size(); ++rank) {
    report r;
    std::memcpy(&r, bytes.data() + static_cast<std::size_t>(rank) * sizeof r, sizeof r);
    if (r.ordinal < 0)
      throw usage_error("machine spec 'mpi:cuda': the host of process " + std::to_string(rank) +
                        " has no CUDA device (" + r.name.data() + ")");
    const auto& member = all.members[static_cast<std::size_t>(rank)];
    device d;
    d.kind = device_kind::cuda;
    d.ordinal = r.ordinal;
    d.name = r.name.data();
    d.memory = r.memory;
    d.units = r.units;
    d.pci = r.pci.data();
    d.process = rank;
    d.memory_group = member.group;
    found.devices.push_back(std::move(d));
    found.straight = found.straight && r.straight != 0;
  }
  count_shares(all, found.devices);
  return found;
}

}  // namespace

int local_rank(const job& of, int rank) {
  const int host = of.members[static_cast<std::size_t>(rank)].host;
  int before = 0;
  for (int r = 0; r < rank; ++r)
    before += of.members[static_cast<std::size_t>(r)].host == host ? 1 : 0;
  return before;
}

void count_shares(const job& of, std::vector<device>& gpus) {
  const auto same = [&](std::size_t a, std::size_t b) {
    return of.members[a].host == of.members[b].host && gpus[a].pci == gpus[b].pci;
  };
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    device& d = gpus[r];
    d.share = d.share_index = 0;
    for (std::size_t other = 0; other < gpus.size(); ++other) {
      if (!same(r, other)) continue;
      ++d.share;
      d.share_index += other < r ? 1 : 0;
    }
    d.own_engines = d.share == 1;
  }
}

const gpu_job& gpus() {
  static const gpu_job found = make_job();
  return found;
}

}  // namespace gossamer::processes

namespace gossamer {

std::string_view gpu_messages(const machine& m) {
  if (!m[0].is_cuda() || m[0].process < 0) return "";
  return processes::gpus().straight ? "CUDA-aware MPI" : "pinned host memory";
}

std::int64_t host_memory_here(const machine& m) {
  if (m[0].process < 0) return host_memory_limit().bytes;
  const processes::job& all = processes::join();
  return all.members[static_cast<std::size_t>(all.rank)].memory;
}

}  // namespace gossamer
