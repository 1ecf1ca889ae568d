// Times PageRank's iterations on one machine, verifies in the same run, writes JSON.
//
//   bench_pagerank GRAPH [--machine SPEC] [--iterations K] [--runs K] [--precision 32|64]
//                  [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. Timed runs have exactly K iterations (default 20); one more
// run iterates to the tolerance and is verified. --export writes the graph for peers
// (bench_run.hpp).
#include "gossamer/algorithm/pagerank.hpp"

#include <cstdio>

#include "bench_run.hpp"

namespace {

using namespace gossamer;

std::int64_t verify(machine& m, const graph& g, pagerank_options options) {
  options.tolerance = pagerank_options().tolerance;
  options.most_iterations = 1000;
  const auto result = pagerank(m, g, options);
  const auto ranks = std::visit(
      [](const auto& x) { return std::vector<double>(x.begin(), x.end()); }, result.ranks);
  const auto v = verify_pagerank(g, ranks, options);
  if (!v.ok || !result.converged) throw verification_error("pagerank: " + v.reason);
  return result.iterations;
}

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  pagerank_options options;
  options.use = rank_use::all;  // the machine that was asked for
  options.precision = std::stoi(args["precision"]);
  options.tolerance = 0;
  options.most_iterations = std::stoll(args["iterations"]);
  std::vector<double> times, processor;
  {
    pagerank_solver solver(m, g, options);
    for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
      const double before = bench::processor_milliseconds();
      const auto result = solver.run();
      processor.push_back((bench::processor_milliseconds() - before) /
                          static_cast<double>(result.iterations));
      times.push_back(result.milliseconds / static_cast<double>(result.iterations));
    }
  }
  const std::int64_t needed = verify(m, g, options);
  char json[1024];
  std::snprintf(json, sizeof json,
                "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
                "\"precision\": %d, \"iterations_to_tolerance\": %lld, \"runs\": %zu, "
                "\"verified\": 1, \"median_ms\": %.4f, \"min_ms\": %.4f, \"max_ms\": %.4f, "
                "\"processor_ms\": %.4f}",
                g.name.c_str(), static_cast<long long>(g.vertices()),
                static_cast<long long>(g.arcs()), m.spec().c_str(), options.precision,
                static_cast<long long>(needed), times.size(), bench::quantile(times, 0.5),
                bench::quantile(times, 0), bench::quantile(times, 1),
                bench::quantile(processor, 0.5));
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_pagerank", [&] {
    measure(bench::read_arguments(argc, argv,
                                  {{"graph", ""},
                                   {"machine", "cpu"},
                                   {"iterations", "20"},
                                   {"runs", "5"},
                                   {"precision", "32"},
                                   {"json", ""},
                                   {"export", ""}},
                                  "bench_pagerank GRAPH [options]: see the head of pagerank.cpp"));
  });
}
