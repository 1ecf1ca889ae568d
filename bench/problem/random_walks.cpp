// Times random walks on one machine, verifies in the same run, writes JSON.
//
//   bench_random_walks GRAPH [--machine SPEC] [--engine NAME] [--length L] [--walks N]
//       [--weighted 1] [--p X] [--q X] [--verify 0] [--runs K] [--json FILE]
//
// GRAPH is a generator spec or a file, with weights 1 to 255 where walks are weighted; directed
// ones are made undirected, and simple.
#include "gossamer/algorithm/random_walks.hpp"
#include "algorithm_run.hpp"
#include "gossamer/graph/builder.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  build_options simple;
  simple.symmetrize = simple.deduplicate = simple.remove_self_loops = true;
  const graph g = rebuild(bench::load(args["graph"], args["weighted"] == "1"), simple);
  auto m = machine::open(args["machine"]);
  random_walks_options options;
  options.engine = args["engine"];
  options.length = std::stoll(args["length"]);
  options.walks = std::stoll(args["walks"]);
  options.weighted = args["weighted"] == "1";
  options.p = std::stod(args["p"]);
  options.q = std::stod(args["q"]);
  random_walks_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1") bench::expect_right(verify_random_walks(g, result.walks, {}, options));
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("weighted", options.weighted)
                       .add("p", options.p)
                       .add("q", options.q)
                       .add("walks", result.count)
                       .add("steps", result.steps));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm(
      "random_walks", argc, argv,
      {{"length", "80"}, {"walks", "1"}, {"weighted", "0"}, {"p", "1"}, {"q", "1"}}, measure);
}
