// One share for a process's own host, or one for each host that the processes of an MPI job have
// named.
#include "gossamer/machine/hosts.hpp"

#include <map>
#include <numeric>

#include "gossamer/machine/machine.hpp"
#include "machine/processes.hpp"

namespace gossamer {

std::vector<host_share> hosts(const machine& m) {
  if (m[0].model != nullptr) return {};
  if (m[0].process < 0) {
    host_share here;
    here.ranks.resize(static_cast<std::size_t>(m.size()));
    std::iota(here.ranks.begin(), here.ranks.end(), 0);
    here.cores = host().cores;
    return {here};
  }
  // A host is named by its lowest rank, which orders them.
  std::map<int, host_share> found;
  const auto& members = processes::join().members;
  for (int rank = 0; rank < m.size(); ++rank) {
    const auto& member = members[static_cast<std::size_t>(m[rank].process)];
    auto& host = found[member.host];
    host.ranks.push_back(rank);
    host.cores = member.host_cores;
  }
  std::vector<host_share> all;
  for (auto& [lowest, host] : found) all.push_back(std::move(host));
  return all;
}

}  // namespace gossamer
