// Memory that is short and threads that do not start, at points of small runs: opening a machine
// and a collective on it; the first run of each engine, from placing the graph to its results; a
// vertex program, a program of steps and a filter. Each of the first points is tried and some of
// the others, by chance; with GOSSAMER_TEST_ALL_POINTS all of them. tests/failure/failing_files.cpp
// has reading, generating and writing.
//
// The same source makes the CPU test and, with GOSSAMER_TEST_GPU, the one for GPUs, where device
// and pinned memory, streams and events fail, too; with GOSSAMER_TEST_STAND_INS the latter on GPUs
// that are not there (tests/fake_gpu), by the engine that runs on them.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <optional>

#include "failure/fault_trials.hpp"
#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/algorithm/vertex_steps.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/matrices.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/small_graphs.hpp"

using gs_id = int;
using gs_weight = int;
#include "algorithm/vertex_steps/stages.hpp"

namespace gs {
namespace {

// One stage: array 0 becomes the number of arcs that come.
struct count_arcs {
  using value = long long;
  static constexpr bool weighted = false, more = false;
  static constexpr int way = 1, into = 0;
  static value start() { return 0; }
  static value join(value a, value b) { return a + b; }
  explicit count_arcs(const view&) {}
  static value of(long long, gs_weight) { return 1; }
};
void run_stage(int, const view& g, long long begin, long long end, step_word*) {
  gather<count_arcs>(g, begin, end);
}
void join_reports(int, step_word*, const step_word*) {}
int stop(int, const step_word*, step_word*) {
  return -1;
}
const gossamer::steps_detail::step_program counting = {0, &run_stage, &join_reports, &stop};

}  // namespace
}  // namespace gs

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using faults::kind;

/// What a verifier says of a run's result, asked later.
using verdict = std::function<verification()>;

struct algorithm_run {
  std::function<graph()> make;
  std::function<verdict(machine&, const graph&, const std::string& engine)> run;
  bool host_on_gpus = false;  ///< failures of the host are tried on GPUs, too
};

template <class Options>
Options asked(const std::string& engine) {
  Options o;
  o.engine = engine;
  o.run.deadline = 30s;
  return o;
}

graph small_graph() {
  generate_options weighted;
  weighted.weights = true;
  return generate(parse_generator("uniform:6:4"), weighted);
}

graph directed_graph() {
  return testing_graphs::from_arcs("directed", 64, testing_graphs::random_arcs(64, 200, 1), false);
}

verdict run_bfs(machine& m, const graph& g, const std::string& engine) {
  const auto r = bfs(m, g, 1, asked<bfs_options>(engine));
  return [&g, parents = r.parents(), depths = r.depths()] {
    return verify_bfs(g, 1, parents.span(), depths.span());
  };
}

verdict run_sssp(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<sssp_options>(engine);
  o.parents = true;
  const auto r = sssp(m, g, 1, o);
  return [&g, distances = r.distances.get(), parents = r.parents] {
    return verify_sssp(g, 1, distances, parents.span());
  };
}

verdict run_components(machine& m, const graph& g, const std::string& engine) {
  const auto r = components(m, g, asked<components_options>(engine));
  return [&g, labels = r.labels.get()] { return verify_components(g, labels); };
}

verdict run_pagerank(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<pagerank_options>(engine);
  o.precision = 64;
  const auto r = pagerank(m, g, o);
  return [&g, o, ranks = std::get<shared_array<double>>(r.ranks.get())]() -> verification {
    const auto v = verify_pagerank(g, ranks.span(), o);
    return {v.ok, v.reason};
  };
}

verdict run_cg(machine& m, const graph& g, const std::string& engine) {
  const auto o = asked<cg_options>(engine);
  const std::vector<double> b(static_cast<std::size_t>(g.vertices()), 1);
  const auto r = cg_solver(m, g, o).solve(b);
  return [&g, o, b, x = r.x, n = r.iterations]() -> verification {
    const auto v = verify_cg(g, b, x.span(), o.tolerance, o.absolute, n);
    return {v.ok, v.reason};
  };
}

verdict run_triangles(machine& m, const graph& g, const std::string& engine) {
  const auto r = triangles(m, g, asked<triangles_options>(engine));
  return [&g, counts = r.counts.get()] { return verify_triangles(g, counts); };
}

verdict run_core_numbers(machine& m, const graph& g, const std::string& engine) {
  const auto r = core_numbers(m, g, asked<core_numbers_options>(engine));
  return [&g, numbers = r.numbers.get()] { return verify_core_numbers(g, numbers); };
}

verdict run_spanning_forest(machine& m, const graph& g, const std::string& engine) {
  const auto r = spanning_forest(m, g, asked<spanning_forest_options>(engine));
  return [&g, arcs = r.arcs] { return verify_spanning_forest(g, arcs); };
}

verdict run_strong_components(machine& m, const graph& g, const std::string& engine) {
  const auto r = strong_components(m, g, asked<strong_components_options>(engine));
  return [&g, labels = r.labels.get()] { return verify_strong_components(g, labels); };
}

template <bool Edges>
verdict run_betweenness(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<betweenness_options>(engine);
  o.edges = Edges;
  const auto r = betweenness(m, g, o);
  return [&g, o, scores = r.scores.get()] { return verify_betweenness(g, scores, {}, o); };
}

/// Of all vertices: sums, or what bounds leave to search.
template <distance_measure Measure>
verdict run_distances(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<distances_options>(engine);
  o.measure = Measure;
  const auto r = distances(m, g, o);
  return [&g, sums = r.reciprocals, farthest = r.eccentricities] {
    std::vector<std::int64_t> all(static_cast<std::size_t>(g.vertices()));
    std::iota(all.begin(), all.end(), 0);
    if (Measure == distance_measure::sums)
      return verify_distances(g, distance_kind::harmonic, false, all, sums.span());
    const std::vector<double> values(farthest.begin(), farthest.end());
    return verify_distances(g, distance_kind::eccentricity, false, all, values);
  };
}

template <bool Connected>
verdict run_communities(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<communities_options>(engine);
  o.method = Connected ? "leiden" : "louvain";
  const auto r = communities(m, g, o);
  return [&g, o, labels = r.labels.get(), q = r.modularity] {
    return verify_communities(g, labels, {q, o.resolution, Connected});
  };
}

verdict run_random_walks(machine& m, const graph& g, const std::string& engine) {
  auto o = asked<random_walks_options>(engine);
  o.length = 7;
  o.weighted = true;
  o.p = 2;
  const auto r = random_walks(m, g, o);
  return [&g, o, walks = r.walks] { return verify_random_walks(g, walks, {}, o); };
}

/// Of the graph's columns, in several segments.
verdict run_filter(machine& m, const graph& g, const std::string&) {
  filter_options how;
  how.packet = 256;
  how.run.deadline = 30s;
  const auto columns = std::get<shared_array<vertex32>>(g.indices);
  const auto keep = parse_filter<vertex32>("<20");
  const auto r = filter<vertex32>(m, columns.span(), keep, how);
  return [columns, keep, r]() -> verification {
    const auto v = verify_filter<vertex32>(columns.span(), keep, r);
    return {v.ok, v.reason};
  };
}

/// Serially, by all arcs again and again.
std::vector<double> distances_of(const graph& g) {
  std::vector<double> best(static_cast<std::size_t>(g.vertices()),
                           std::numeric_limits<double>::infinity());
  best[1] = 0;
  const auto& weights = std::get<shared_array<std::int32_t>>(g.weights);
  g.visit([&](const auto& rows) {
    for (bool changed = true; std::exchange(changed, false);)
      for (std::size_t u = 0; u < best.size(); ++u)
        for (edge_offset e = g.offsets[u]; e < g.offsets[u + 1]; ++e) {
          double& there = best[static_cast<std::size_t>(rows.indices[e])];
          if (best[u] + weights[e] >= there) continue;
          there = best[u] + weights[e];
          changed = true;
        }
  });
  return best;
}

verdict run_vertex_program(machine& m, const graph& g, const std::string&) {
  vertex_program shortest;
  shortest.weighted = shortest.label_setting = true;
  shortest.text = "gs_add(value, weight)";
  shortest.row = builtin_row(shortest.type, shortest.update, shortest.text);
  program_options how;
  how.run.deadline = 30s;
  shared_array<double> initial(static_cast<std::size_t>(g.vertices()));
  std::fill(initial.begin(), initial.end(), std::numeric_limits<double>::infinity());
  initial[1] = 0;
  const std::int64_t first[] = {1};
  const auto r = program_search(m, g, shortest, how).run(initial, first);
  return [&g, values = std::get<shared_array<double>>(r.values)]() -> verification {
    return {std::ranges::equal(values, distances_of(g)), "other distances"};
  };
}

verdict run_vertex_steps(machine& m, const graph& g, const std::string&) {
  run_options how;
  how.deadline = 30s;
  vertex_steps steps(m, g, 0, how);
  steps.add_array(8, false);
  steps.run(steps.add_program({&gs::counting, {}, 0}), {}, how);
  std::vector<std::int64_t> came(static_cast<std::size_t>(g.vertices()));
  steps.read(0, std::as_writable_bytes(std::span(came)));
  return [&g, came]() -> verification {
    std::vector<std::int64_t> expected(came.size());
    g.visit([&](const auto& rows) {
      for (const auto v : rows.indices) ++expected[static_cast<std::size_t>(v)];
    });
    return {came == expected, "other numbers of arcs"};
  };
}

/// By the algorithm's name, with what else tells a run apart behind it.
const std::map<std::string, algorithm_run>& runs() {
  static const std::map<std::string, algorithm_run> all = {
      {"betweenness", {directed_graph, run_betweenness<false>}},
      {"betweenness_edges", {directed_graph, run_betweenness<true>}},
      {"bfs", {small_graph, run_bfs, true}},
      {"cg", {[] { return generate_matrix("poisson:7x5"); }, run_cg, true}},
      {"communities", {small_graph, run_communities<false>}},
      {"communities_leiden", {small_graph, run_communities<true>}},
      {"components", {small_graph, run_components, true}},
      {"core_numbers", {small_graph, run_core_numbers}},
      {"distances", {directed_graph, run_distances<distance_measure::sums>}},
      {"distances_bounds", {small_graph, run_distances<distance_measure::eccentricity>}},
      {"filter", {small_graph, run_filter}},
      {"pagerank", {small_graph, run_pagerank, true}},
      {"random_walks", {small_graph, run_random_walks}},
      {"spanning_forest", {small_graph, run_spanning_forest}},
      {"sssp", {small_graph, run_sssp, true}},
      {"strong_components", {directed_graph, run_strong_components}},
      {"triangles", {small_graph, run_triangles}},
      {"vertex_program", {small_graph, run_vertex_program}},
      {"vertex_steps", {small_graph, run_vertex_steps}}};
  return all;
}

/// A run on a machine, from placing the graph to results in the caller's order. The first on its
/// machine, unless that is given.
class trial {
 public:
  trial(const algorithm_run& what, const std::string& spec, const std::string& engine,
        machine* given)
      : run_(what.run), engine_(engine), graph_(what.make()) {
    if (given == nullptr) own_.emplace(machine::open(spec));
    machine_ = given == nullptr ? &*own_ : given;
  }
  void act() { found_ = run_(*machine_, graph_, engine_); }
  void expect_right() {
    if (found_) expect(found_());
    found_ = nullptr;
    act();
    expect(found_());
  }

 private:
  static void expect(const verification& v) { EXPECT_TRUE(v.ok) << v.reason; }

  const std::function<verdict(machine&, const graph&, const std::string&)>& run_;
  const std::string& engine_;
  std::optional<machine> own_;
  machine* machine_ = nullptr;
  graph graph_;
  verdict found_;
};

#ifdef GOSSAMER_TEST_STAND_INS
constexpr bool stand_ins = true;
#else
constexpr bool stand_ins = false;
#endif

/// Engines of a run on such a machine, by its algorithm's table; "" where there is no table. None
/// may be for it.
std::vector<std::string> engines_of(const std::string& run, const std::string& spec) {
  const bool gpus = spec.find("cuda") != std::string::npos, mixed = gpus && spec.starts_with("cpu");
  for (const algorithm_table& a : algorithms()) {
    if (!(run + '_').starts_with(a.name + '_')) continue;
    std::vector<std::string> all;
    for (const engine_info& e : a.engines)
      if ((!stand_ins || e.name == "published") && (mixed ? e.mixed : gpus ? e.gpus : e.cpus))
        all.push_back(e.name);
    return all;
  }
  return {""};
}

using case_of = std::tuple<std::string, std::string>;

class FailingCalls : public ::testing::TestWithParam<case_of> {
 protected:
  void fail_all(kind of) {
    const auto& [name, spec] = GetParam();
    const bool modelled = spec.starts_with("sim");
    if (const std::string why = testing_machines::lacking(spec); !why.empty()) GTEST_SKIP() << why;
    if (modelled && name == "vertex_steps") GTEST_SKIP() << "not on modelled machines";
    const auto& what = runs().at(name);
    if (testing_machines::for_gpus && of != kind::on_a_gpu && !what.host_on_gpus)
      GTEST_SKIP() << "tried on CPUs";
    // What is found out about a modelled system is kept beyond its machines.
    std::optional<machine> given;
    if (modelled) given.emplace(machine::open(spec));
    const std::int64_t taken = memory_in_use(host_account).now;
    for (const std::string& engine : engines_of(name, spec)) {
      faults::fail_each(name + (engine.empty() ? "" : " ") + engine + " on " + spec, of, {},
                        [&] { return trial(what, spec, engine, given ? &*given : nullptr); });
      if (HasFailure()) return;
      if (!given) {
        EXPECT_EQ(memory_in_use(host_account).now, taken);
      }
    }
  }
};

#ifndef GOSSAMER_TEST_STAND_INS

TEST_P(FailingCalls, OfMemory) {
  fail_all(kind::memory);
}

TEST_P(FailingCalls, OfThreads) {
  fail_all(kind::threads);
}

#endif

#ifdef GOSSAMER_TEST_GPU

TEST_P(FailingCalls, OnAGpu) {
  fail_all(kind::on_a_gpu);
}

#endif

std::vector<std::string> specs_here() {
  if (stand_ins) return {"cuda:0", "cuda:0*2"};
  return testing_machines::cpus_or_gpus({"cpu:1x1", "cpu:2x1", "cpu:1x2", "sim:peach2,ranks=2"},
                                        {"cuda:0", "cuda:0*2", "cpu:1x1+cuda:0"});
}

/// Programs come to GPUs compiled, by Python.
std::vector<std::string> algorithms_here() {
  std::vector<std::string> names;
  for (const auto& [name, run] : runs())
    if (stand_ins ? name == "bfs" : !testing_machines::for_gpus || !name.starts_with("vertex_"))
      names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, FailingCalls,
    ::testing::Combine(::testing::ValuesIn(algorithms_here()), ::testing::ValuesIn(specs_here())),
    [](const auto& given) {
      const ::testing::TestParamInfo<std::string> spec(std::get<1>(given.param), 0);
      return std::get<0>(given.param) + "_" + testing_machines::spec_name<std::string>(spec);
    });

#ifndef GOSSAMER_TEST_GPU

/// From nothing: a machine is opened, and its ranks add up what they have.
class opening {
 public:
  explicit opening(const std::string& spec) : spec_(spec) {}
  void act() {
    if (!machine_) machine_.emplace(machine::open(spec_));
    std::fill(sums_.begin(), sums_.end(), 0);
    run_options how;
    how.deadline = 30s;
    machine_->run(
        [this](rank& r) {
          auto in = r.make_window<double>(8), out = r.make_window<double>(8);
          std::fill(in.local().begin(), in.local().end(), r.id() + 1);
          auto plan = plan_allreduce<double>(r, in.local(), out, reduction::sum);
          plan.run();
          sums_[static_cast<std::size_t>(r.id())] = out.local()[7];
        },
        how);
  }
  void expect_right() {
    act();
    const int p = machine_->size();
    for (int r = 0; r < p; ++r) EXPECT_EQ(sums_[static_cast<std::size_t>(r)], p * (p + 1) / 2);
  }

 private:
  const std::string& spec_;
  std::optional<machine> machine_;
  std::array<double, 4> sums_{};
};

class FailingOpen : public ::testing::TestWithParam<std::string> {
 protected:
  void fail_all(kind of) {
    faults::fail_each("opening " + GetParam(), of, {}, [this] { return opening(GetParam()); });
  }
};

TEST_P(FailingOpen, OfMemory) {
  fail_all(kind::memory);
}
TEST_P(FailingOpen, OfThreads) {
  fail_all(kind::threads);
}
TEST_P(FailingOpen, OfFiles) {
  fail_all(kind::files);
}

INSTANTIATE_TEST_SUITE_P(Machines, FailingOpen,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:1x2", "cpu:3x1",
                                           "sim:peach2,ranks=2"),
                         testing_machines::spec_name<std::string>);

#endif

}  // namespace
}  // namespace gossamer
