// Fuzzes specs of generated graphs: refused in one line, or a graph of the size that was said. What
// is larger than a small limit is not made; its edges are looked at one by one.
#include "checks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/generators.hpp"

namespace {

using namespace gossamer;

void check_edges(const generator_spec& spec) {
  const std::int64_t n = spec.vertices(), edges = spec.candidates();
  const edge_maker maker = make_edge_maker(spec);
  for (const std::int64_t k : {std::int64_t{0}, edges / 3, edges / 2 + 1, edges - 1}) {
    if (k < 0 || k >= edges) continue;
    const generated e = generated_edge(maker, k);
    fuzz::expect(e.source >= 0 && e.source < n && e.target >= 0 && e.target < n,
                 "an edge to nowhere", spec.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  try {
    const generator_spec spec = parse_generator(text);
    generate_options options;
    options.threads = 1;
    options.weights = size % 2 == 0;
    options.keep_duplicates = size % 3 == 0;
    options.memory = (std::int64_t{64} << 20) + (1 << 17);  // 64 MiB are set apart in plans
    const generator_plan plan = plan_generate(spec, options);
    fuzz::expect(spec.vertices() > 0 && spec.candidates() >= 0 && plan.arcs_bound >= 0 &&
                     plan.graph_bytes >= 0 && plan.host_bytes >= plan.graph_bytes,
                 "a plan", plan.text());
    if (spec.listed()) check_edges(spec);
    // Of matrices nothing is set apart.
    if (plan.graph_bytes > 1 << 17) options.memory = 1 << 17;
    const graph g = generate(spec, options);
    fuzz::expect(g.vertices() == plan.vertices && g.arcs() <= plan.arcs_bound &&
                     (!plan.exact || g.arcs() == plan.arcs_bound),
                 "a graph of another size", spec.text);
    g.validate();
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
