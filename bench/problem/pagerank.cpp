// Times PageRank on one machine, verifies in the same run, writes JSON.
//
//   bench_pagerank GRAPH [--machine SPEC] [--engine sync|async] [--iterations K] [--runs K]
//                  [--precision 32|64] [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. Engine sync (default): times are of an iteration, timed runs
// have exactly K of them (default 20); one more run iterates to the tolerance and is verified.
// Engine async: times are of whole runs to the tolerance, each verified, and the worklist's
// counters are those of the last. --export writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/pagerank.hpp"

#include <cstdio>

#include "bench_run.hpp"

namespace {

using namespace gossamer;

void check(const graph& g, const pagerank_result& result, const pagerank_options& options) {
  const auto ranks = std::visit(
      [](const auto& x) { return std::vector<double>(x.begin(), x.end()); }, result.ranks.get());
  const auto v = verify_pagerank(g, ranks, options);
  if (!v.ok || !result.converged) throw verification_error("pagerank: " + v.reason);
}

struct measured {
  std::vector<double> times, processor;
  std::int64_t iterations = 0;  ///< to the tolerance; of engine async windows
  std::int64_t verified = 0;
  worklist_counters work;
};

/// Of an iteration.
measured time_iterations(machine& m, const graph& g, pagerank_options options, std::int64_t runs) {
  measured all;
  options.tolerance = 0;
  {
    pagerank_solver solver(m, g, options);
    for (std::int64_t i = 0; i < runs; ++i) {
      const double before = bench::processor_milliseconds();
      const auto result = solver.run();
      const auto done = static_cast<double>(result.iterations);
      all.processor.push_back((bench::processor_milliseconds() - before) / done);
      all.times.push_back(result.milliseconds / done);
    }
  }
  options.tolerance = pagerank_options().tolerance;
  options.most_iterations = 1000;
  const auto result = pagerank(m, g, options);
  check(g, result, options);
  all.iterations = result.iterations;
  all.verified = 1;
  return all;
}

/// Of runs to the tolerance.
measured time_runs(machine& m, const graph& g, const pagerank_options& options, std::int64_t runs) {
  measured all;
  pagerank_solver solver(m, g, options);
  for (std::int64_t i = 0; i < runs; ++i) {
    const double before = bench::processor_milliseconds();
    const auto result = solver.run();
    all.processor.push_back(bench::processor_milliseconds() - before);
    all.times.push_back(result.milliseconds);
    check(g, result, options);
    ++all.verified;
    all.iterations = result.iterations;
    all.work = *result.work;
  }
  return all;
}

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  pagerank_options options;
  options.use = rank_use::all;  // the machine that was asked for
  options.precision = std::stoi(args["precision"]);
  options.most_iterations = std::stoll(args["iterations"]);
  options.engine = args["engine"];
  const bool async = options.engine == "async";
  const std::int64_t runs = std::stoll(args["runs"]);
  const measured found =
      async ? time_runs(m, g, options, runs) : time_iterations(m, g, options, runs);
  char json[1024];
  std::snprintf(json, sizeof json,
                "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
                "\"engine\": \"%s\", \"precision\": %d, \"iterations_to_tolerance\": %lld, "
                "\"runs\": %zu, \"verified\": %lld, \"median_ms\": %.4f, \"min_ms\": %.4f, "
                "\"max_ms\": %.4f, \"processor_ms\": %.4f, \"items\": %lld, \"looks\": %lld, "
                "\"sent\": %lld, \"useless\": %lld, \"agreements\": %lld}",
                g.name.c_str(), static_cast<long long>(g.vertices()),
                static_cast<long long>(g.arcs()), m.spec().c_str(), options.engine.c_str(),
                options.precision, static_cast<long long>(found.iterations), found.times.size(),
                static_cast<long long>(found.verified), bench::quantile(found.times, 0.5),
                bench::quantile(found.times, 0), bench::quantile(found.times, 1),
                bench::quantile(found.processor, 0.5), static_cast<long long>(found.work.items),
                static_cast<long long>(found.work.arcs), static_cast<long long>(found.work.sent),
                static_cast<long long>(found.work.useless),
                static_cast<long long>(found.work.rounds));
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_pagerank", [&] {
    measure(bench::read_arguments(argc, argv,
                                  {{"graph", ""},
                                   {"machine", "cpu"},
                                   {"engine", "sync"},
                                   {"iterations", "20"},
                                   {"runs", "5"},
                                   {"precision", "32"},
                                   {"json", ""},
                                   {"export", ""}},
                                  "bench_pagerank GRAPH [options]: see the head of pagerank.cpp"));
  });
}
