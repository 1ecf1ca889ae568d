// Pointer chasing on every rank at once, timed, and checked by where each walk ends.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithm/pointer_chase/modelled.hpp"
#include "algorithm/pointer_chase/ways.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

namespace {

void check_model(const machine& m, const chase_options& o) {
  const auto& chips = m[0].model->chips;
  require(chips.has_value(), "pointer chasing: system " + m[0].model->name +
                                 " does not say what its nodes' chips are");
  require(o.way != chase_way::fibers, "pointer chasing: fibers are not modelled; tasks are");
  require(m.size() <= chips->count * chips->cores, "pointer chasing: a node of " +
                                                       m[0].model->name + " has " +
                                                       std::to_string(chips->count * chips->cores) +
                                                       " cores, not " + std::to_string(m.size()));
  const int node = o.memory_node.value_or(0);
  require(node >= 0 && node < chips->count, "pointer chasing: memory_node " + std::to_string(node) +
                                                " of " + std::to_string(chips->count) + " chips");
}

void check(const machine& m, const node_list& list, const chase_options& o) {
  require(o.in_flight > 0 && o.references > 0,
          "pointer chasing: in_flight and references must be positive");
  require(o.delay.count() >= 0 && o.updates >= 0, "pointer chasing: a negative delay or update");
  require(o.working_set == 0 || o.working_set >= 64,
          "pointer chasing: a working set is 64 bytes at least, or 0");
  require(o.updates == 0 || o.working_set > 0, "pointer chasing: updates of no working set");
  require(o.delay.count() == 0 || o.working_set == 0,
          "pointer chasing: a delay or a working set, not both");
  require(o.way == chase_way::tasks || (o.delay.count() == 0 && o.working_set == 0),
          "pointer chasing: delays and working sets are the tasks'");
  if (m[0].model != nullptr) return check_model(m, o);
  require(!o.memory_node || o.memory_node == list.memory_node(),
          "pointer chasing: the list was not made on memory_node " +
              std::to_string(o.memory_node.value_or(0)));
  for (int r = 0; r < m.size(); ++r)
    require(!m[r].is_cuda() && m.here(r),
            "pointer chasing runs on CPU ranks of one process, not on '" + m.spec() + "'");
}

/// Positions where a rank's lists begin: evenly over the cycle, so that none runs into another's
/// nodes before it has gone as far as possible.
std::vector<std::uint64_t> begins(const node_list& list, const chase_options& o, int rank,
                                  int ranks) {
  const auto n = static_cast<std::uint64_t>(list.size());
  const auto lists = static_cast<std::uint64_t>(o.in_flight) * static_cast<std::uint64_t>(ranks);
  std::vector<std::uint64_t> out(static_cast<std::size_t>(o.in_flight));
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    const auto which = static_cast<std::uint64_t>(rank) * out.size() + i;
    out[i] = (n / lists * which + o.draw * 0x9e3779b97f4a7c15u % n) % n;
  }
  return out;
}

double walk(rank& r, const node_list& list, const chase_options& o, std::int64_t steps) {
  const auto from = begins(list, o, r.id(), r.size());
  std::vector<list_node*> at;
  for (const std::uint64_t position : from) at.push_back(list.at(position));
  r.barrier();
  const double begin = r.clock();
  switch (o.way) {
    case chase_way::loop:
      pointer_chase::by_loop(at, steps);
      break;
    case chase_way::tasks:
      pointer_chase::by_tasks(at, steps, o);
      break;
    case chase_way::fibers:
      pointer_chase::by_fibers(at, steps);
      break;
  }
  const double seconds = r.clock() - begin;
  const auto n = static_cast<std::uint64_t>(list.size());
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i]->position != (from[i] + static_cast<std::uint64_t>(steps)) % n)
      throw verification_error("pointer chasing: list " + std::to_string(i) + " of rank " +
                               std::to_string(r.id()) + " arrived at the wrong node");
  return seconds;
}

}  // namespace

std::string_view to_string(chase_way way) noexcept {
  return enum_name<chase_way::fibers>(way, {"loop", "tasks", "fibers"});
}

chase_result chase_pointers(machine& m, const node_list& list, const chase_options& options) {
  check(m, list, options);
  const std::int64_t steps = (options.references + options.in_flight - 1) / options.in_flight;
  std::vector<double> seconds(static_cast<std::size_t>(m.size()));
  if (m[0].model != nullptr)
    seconds[0] = pointer_chase::modelled_seconds(*m[0].model->chips, m.size(), steps, options);
  else
    m.run(
        [&](rank& r) { seconds[static_cast<std::size_t>(r.id())] = walk(r, list, options, steps); },
        options.run);
  chase_result result;
  result.seconds = *std::max_element(seconds.begin(), seconds.end());
  result.references = steps * options.in_flight * m.size();
  result.rate = static_cast<double>(result.references) / result.seconds;
  return result;
}

}  // namespace gossamer
