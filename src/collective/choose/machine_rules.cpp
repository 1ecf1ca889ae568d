// Which rules hold on a machine: those compiled in, over them the tuned file's, over them what the
// environment says.
#include <cctype>
#include <filesystem>

#include "collective/choose/default_rules.hpp"
#include "collective/kernel/packed_hops.hpp"
#include "collective/run/nccl.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/collective/rules.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

namespace {

/// A few GPUs that address each other have rules of their own.
bool few_gpus(const machine& m) {
  if (!m.all_direct() || m.size() > packed_hops::most_peers + 1) return false;
  for (int r = 0; r < m.size(); ++r)
    if (!m[r].is_cuda()) return false;
  return true;
}

/// NCCL takes GPUs of one process, each for itself, where it is found.
bool has_library(const machine& m) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].process >= 0 || m[r].share != 1) return false;
  return m.size() > 2 && nccl_there();
}

}  // namespace

const selection_rules& selection_rules::defaults() {
  // One hop while latency decides, fewest bytes once bandwidth does; only algorithms that give all
  // ranks the same bits.
  static const selection_rules rules = parse(R"(
broadcast:0-64k:@binomial,64k-inf:@scatter_allgather
scatter:0-inf:@direct
gather:0-inf:@direct
reduce:0-16k:@direct,16k-inf:@two_shot
allgather:0-inf:@direct
allreduce:0-16k:@one_shot,16k-inf:@two_shot
reduce_scatter:0-inf:@direct
all_to_all:0-inf:@direct
all_to_all_v:0-inf:@direct
barrier:0-inf:@dissemination
)",
                                             "defaults");
  return rules;
}

std::string selection_rules::file_of(const machine& m) {
  const std::string folder = configuration::directory();
  if (folder.empty()) return {};
  // The spec of processes does not say how many there are, and may be "auto".
  std::string name = m.spec();
  if (m[0].process >= 0)
    name = "mpi:" + std::to_string(m.size()) + "x" +
           (m[0].is_cuda() ? "cuda" : std::to_string(m[0].threads));
  for (auto& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '+') c = '_';
  return folder + "/collectives/" + name + ".rules";
}

bool left_to_system(const machine& m, collective_op op) {
  if (m[0].model == nullptr || configuration::collectives()) return false;
  const std::string tuned = selection_rules::file_of(m);
  std::error_code none;
  if (tuned.empty() || !std::filesystem::exists(tuned, none)) return true;
  return selection_rules::read(tuned).algorithm(op, 0).empty();
}

selection_rules selection_rules::of(const machine& m, bool libraries) {
  selection_rules rules = defaults();
  if (few_gpus(m))
    rules.override_with(
        parse(few_gpus_rules(m.size(), libraries && has_library(m)), "defaults of few GPUs"));
  const std::string tuned = file_of(m);
  std::error_code none;
  if (!tuned.empty() && std::filesystem::exists(tuned, none)) rules.override_with(read(tuned));
  if (const auto given = configuration::collectives())
    rules.override_with(given->find('@') != std::string::npos
                            ? parse(*given, "GOSSAMER_COLLECTIVES")
                            : read(*given));
  return rules;
}

}  // namespace gossamer
