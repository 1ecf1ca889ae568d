// Times triangles on one machine, verifies in the same run, writes JSON.
//
//   bench_triangles GRAPH [--machine SPEC] [--engine NAME] [--runs K] [--verify 0]
//       [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. --export writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/triangles.hpp"
#include "algorithm_run.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  triangles_options options;
  options.engine = args["engine"];
  triangles_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1") bench::expect_right(verify_triangles(g, result.counts));
  runs.write(args, bench::row_of(g, m, result.engine).add("triangles", result.total));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("triangles", argc, argv, {}, measure);
}
