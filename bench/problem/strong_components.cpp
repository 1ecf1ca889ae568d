// Times strong components on one machine, verifies in the same run, writes JSON.
//
//   bench_strong_components GRAPH [--machine SPEC] [--engine NAME] [--runs K] [--verify 0]
//       [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. --export writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/strong_components.hpp"
#include "algorithm_run.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  strong_components_options options;
  options.engine = args["engine"];
  strong_components_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1") bench::expect_right(verify_strong_components(g, result.labels.get()));
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("components", result.count)
                       .add("largest", result.largest));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("strong_components", argc, argv, {}, measure);
}
