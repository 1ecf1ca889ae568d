// Chases over the global heap: a task a list, a call a step.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithm/driver/common_terms.hpp"
#include "algorithm/pointer_chase/global_list.hpp"
#include "gossamer/algorithm/global_chase.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/task/global_tasks.hpp"

namespace gossamer {

namespace {

using pointer_chase::global_lists;
using pointer_chase::global_node;

void check(const machine& m, const global_chase_options& o) {
  require(o.in_flight > 0 && o.references > 0 && o.nodes > 0,
          "global chase: in_flight, references and nodes must be positive");
  require(m.size() >= 2, "global chase: two ranks at least: references are to other ranks");
}

task<> follow(global_tasks& g, global_address<global_node>& place, std::int64_t steps) {
  auto at = place;
  for (; steps > 0; --steps)
    at = co_await g.call(at, [](const global_node& node) { return node.next; });
  place = at;
}

task<> begin(global_tasks& g, std::vector<global_address<global_node>>& places,
             std::int64_t steps) {
  for (auto& place : places) g.local().spawn(follow(g, place, steps));
  co_return;
}

/// Where the tasks of a rank are: asked of the owners.
task<> look(global_tasks& g, const std::vector<global_address<global_node>>& places,
            std::vector<std::uint64_t>& positions) {
  for (const auto place : places)
    positions.push_back(
        co_await g.call(place, [](const global_node& node) { return node.position; }));
}

struct outcome {
  double seconds = 0;
  std::int64_t parcels = 0, messages = 0;
};

outcome walk(rank& r, const global_chase_options& o, const global_tasks_options& options,
             std::int64_t steps) {
  global_tasks g(r, options);
  const global_lists lists(r.size(), o.nodes);
  const auto nodes = lists.allocate(g.heap());
  lists.link(nodes, r.id());
  std::vector<std::uint64_t> from;
  std::vector<global_address<global_node>> places;
  const auto n = static_cast<std::uint64_t>(o.in_flight);
  for (std::uint64_t i = 0; i < n; ++i) {
    from.push_back(lists.length() * i / n);
    places.push_back(nodes[lists.index(r.id(), from.back())]);
  }
  r.barrier();
  const double begun = r.clock();
  g.run(begin(g, places, steps));
  outcome found{r.clock() - begun, g.counters().parcels(), g.counters().messages};
  std::vector<std::uint64_t> positions;
  g.run(look(g, places, positions));
  for (std::uint64_t i = 0; i < n; ++i)
    if (positions[i] != (from[i] + static_cast<std::uint64_t>(steps)) % lists.length())
      throw verification_error("global chase: task " + std::to_string(i) + " of rank " +
                               std::to_string(r.id()) + " arrived at the wrong node");
  return found;
}

outcome of_all(rank& r, const outcome& mine) {
  std::vector<outcome> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  outcome sum;
  for (const outcome& o : all)
    sum = {std::max(sum.seconds, o.seconds), sum.parcels + o.parcels, sum.messages + o.messages};
  return sum;
}

global_tasks_options tasks_of(const global_chase_options& o) {
  global_tasks_options made;
  made.name = "global chase";
  if (o.manager == chase_manager::thread) made.manager = make_thread_manager;
  if (o.manager == chase_manager::hardware) made.manager = make_hardware_manager;
  return made;
}

}  // namespace

std::string_view to_string(chase_manager manager) noexcept {
  return enum_name<chase_manager::hardware>(manager, {"polled", "thread", "hardware"});
}

global_chase_result chase_global(machine& m, const global_chase_options& options) {
  check(m, options);
  const std::int64_t steps = (options.references + options.in_flight - 1) / options.in_flight;
  const auto tasks = tasks_of(options);
  const auto length = static_cast<std::int64_t>(global_lists(m.size(), options.nodes).length());
  run_options planned = options.run;
  planned.arenas = {
      arena_plan{static_cast<std::size_t>(global_heap::bytes(length, sizeof(global_node)) +
                                          global_tasks::bytes(m.size(), tasks) + (1 << 20))}};
  planned.terms = algorithm_detail::common_terms(m, "global chase")
                      .add("in flight", options.in_flight)
                      .add("references", options.references)
                      .add("nodes", options.nodes)
                      .add("manager", std::string(to_string(options.manager)))
                      .all();
  int first_here = 0;
  while (!m.here(first_here)) ++first_here;
  outcome all;
  m.run(
      [&](rank& r) {
        const outcome sum = of_all(r, walk(r, options, tasks, steps));
        if (r.id() == first_here) all = sum;
      },
      planned);
  global_chase_result result;
  result.seconds = all.seconds;
  result.references = steps * options.in_flight * m.size();
  result.rate = static_cast<double>(result.references) / result.seconds;
  result.parcels = all.parcels;
  result.messages_a_parcel =
      all.parcels > 0 ? static_cast<double>(all.messages) / static_cast<double>(all.parcels) : 0;
  return result;
}

}  // namespace gossamer
