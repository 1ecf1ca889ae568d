// What a recorded run of every engine shows: computing on each rank, and where ranks tell each
// other things by parcels, spans of exchange.
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/fabric/trace.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;

double seconds_of(const std::vector<trace_event>& events, trace_class kind) {
  double all = 0;
  for (const trace_event& e : events)
    if (e.kind == kind) all += e.end - e.begin;
  return all;
}

bool has(const std::vector<trace_event>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const trace_event& e) { return e.name == name; });
}

/// `run(machine, engine, timeline)` records one run.
template <class Run>
void expect_computing(const std::vector<std::string>& engines, const Run& run) {
  for (const std::string spec : {"cpu:2x1", "sim:peach2,ranks=2"})
    for (const std::string& engine : engines) {
      SCOPED_TRACE(spec + " " + engine);
      machine m = machine::open(spec);
      const auto recorded = std::make_shared<timeline>();
      run(m, engine, recorded);
      for (int r = 0; r < m.size(); ++r) {
        const auto events = recorded->events_of(r);
        EXPECT_GT(seconds_of(events, trace_class::compute), 0) << "rank " << r;
        if (engine != "async") continue;
        EXPECT_TRUE(has(events, "send") && has(events, "receive")) << "rank " << r;
        EXPECT_GT(seconds_of(events, trace_class::exchange), 0) << "rank " << r;
      }
    }
}

graph weighted() {
  graph g = undirected("random", 2000, random_arcs(2000, 8000, 5));
  set_weights<std::int32_t>(g, 9);
  return g;
}

template <class Options>
Options options_of(const std::string& engine, const std::shared_ptr<timeline>& into) {
  Options options;
  options.engine = engine;
  options.run.trace = into;
  return options;
}

TEST(TracedEngines, Bfs) {
  const graph g = weighted();
  expect_computing({"sync", "published", "vector_queue", "async", "tasks"},
                   [&](machine& m, const std::string& engine, const auto& into) {
                     bfs(m, g, 0, options_of<bfs_options>(engine, into));
                   });
}

TEST(TracedEngines, Sssp) {
  const graph g = weighted();
  expect_computing({"sync", "async", "tasks"},
                   [&](machine& m, const std::string& engine, const auto& into) {
                     sssp(m, g, 0, options_of<sssp_options>(engine, into));
                   });
}

TEST(TracedEngines, Components) {
  const graph g = weighted();
  expect_computing({"sync", "async", "tasks"},
                   [&](machine& m, const std::string& engine, const auto& into) {
                     components(m, g, options_of<components_options>(engine, into));
                   });
}

TEST(TracedEngines, Pagerank) {
  const graph g = weighted();
  expect_computing({"sync", "async"}, [&](machine& m, const std::string& engine, const auto& into) {
    pagerank(m, g, options_of<pagerank_options>(engine, into));
  });
}

/// Whether nobody has the timeline of `run(timeline)` afterwards.
template <class Run>
bool is_let_go(const Run& run) {
  auto recorded = std::make_shared<timeline>();
  const std::weak_ptr<timeline> seen = recorded;
  run(std::move(recorded));
  return seen.expired();
}

TEST(TracedEngines, AreKeptWithoutTheirTraces) {
  const graph g = weighted();
  machine m = machine::open("cpu:2x1");
  EXPECT_TRUE(is_let_go([&](auto into) { bfs(m, g, 0, options_of<bfs_options>("sync", into)); }));
  EXPECT_TRUE(is_let_go([&](auto into) { sssp(m, g, 0, options_of<sssp_options>("sync", into)); }));
  EXPECT_TRUE(is_let_go(
      [&](auto into) { components(m, g, options_of<components_options>("sync", into)); }));
  EXPECT_TRUE(
      is_let_go([&](auto into) { pagerank(m, g, options_of<pagerank_options>("sync", into)); }));
}

}  // namespace
}  // namespace gossamer
