// Times core numbers on one machine, verifies in the same run, writes JSON.
//
//   bench_core_numbers GRAPH [--machine SPEC] [--engine NAME] [--runs K] [--verify 0]
//       [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. --export writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/core_numbers.hpp"
#include "algorithm_run.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  core_numbers_options options;
  options.engine = args["engine"];
  core_numbers_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1") bench::expect_right(verify_core_numbers(g, result.numbers.get()));
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("degeneracy", result.degeneracy)
                       .add("rounds", result.rounds));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("core_numbers", argc, argv, {}, measure);
}
