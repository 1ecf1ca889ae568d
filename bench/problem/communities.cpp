// Times communities on one machine, verifies in the same run, writes JSON.
//
//   bench_communities GRAPH [--machine SPEC] [--engine NAME] [--method NAME] [--seed N]
//       [--iterations N] [--runs K] [--verify 0] [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file; directed ones are made undirected, and simple. --export
// writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/communities.hpp"
#include "algorithm_run.hpp"
#include "gossamer/graph/builder.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  build_options simple;
  simple.symmetrize = simple.deduplicate = simple.remove_self_loops = true;
  const graph g = rebuild(bench::load(args["graph"]), simple);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  communities_options options;
  options.engine = args["engine"];
  options.method = args["method"];
  options.seed = std::stoll(args["seed"]);
  options.iterations = std::stoll(args["iterations"]);
  communities_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1")
    bench::expect_right(verify_communities(g, result.labels.get(),
                                           {result.modularity, 1, options.method == "leiden"}));
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("method", options.method)
                       .add("communities", result.count)
                       .add("modularity", result.modularity)
                       .add("levels", result.levels)
                       .add("rounds", result.rounds));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("communities", argc, argv,
                              {{"method", "louvain"}, {"seed", "0"}, {"iterations", "2"}}, measure);
}
