// Graph generators, and what generating will take.
#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"
#include "gossamer/graph/generators.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

gossamer::generate_options make_options(bool weights, bool keep_duplicates, int threads,
                                        std::int64_t memory, int device) {
  gossamer::generate_options o;
  o.weights = weights;
  o.keep_duplicates = keep_duplicates;
  o.threads = threads;
  o.memory = memory;
  o.device = device;
  return o;
}

}  // namespace

void bind_graph_generate(nb::module_& m) {
  m.def(
      "is_generator", [](const std::string& text) { return gossamer::is_generator(text); },
      nb::arg("text"), "True when the text begins with a generator's name and a colon.");
  m.def(
      "generate",
      [](const std::string& spec, bool weights, bool keep_duplicates, int threads,
         std::int64_t memory, int device, nb::object progress) {
        auto o = make_options(weights, keep_duplicates, threads, memory, device);
        const auto parsed = gossamer::parse_generator(spec);
        return run_work(
            [parsed, o](work_control& c) mutable {
              constexpr std::int64_t steps = 1'000'000;
              c.total = steps;
              o.stop = c.stop.get_token();
              o.progress = [&c](double part) {
                c.done.store(static_cast<std::int64_t>(part * steps), std::memory_order_relaxed);
              };
              return gossamer::generate(parsed, o);
            },
            {.progress = std::move(progress)});
      },
      nb::arg("spec"), nb::arg("weights"), nb::arg("keep_duplicates"), nb::arg("threads"),
      nb::arg("memory"), nb::arg("device"), nb::arg("progress").none());
  m.def(
      "plan_generate",
      [](const std::string& spec, bool weights, bool keep_duplicates, int threads,
         std::int64_t memory, int device) {
        const auto plan = gossamer::plan_generate(
            gossamer::parse_generator(spec),
            make_options(weights, keep_duplicates, threads, memory, device));
        nb::dict out;
        out["vertices"] = plan.vertices;
        out["arcs"] = plan.arcs_bound;
        out["exact"] = plan.exact;
        out["weight_bytes"] = plan.weight_bytes;
        out["host_bytes"] = plan.host_bytes;
        out["device_bytes"] = plan.device_bytes;
        return out;
      },
      nb::arg("spec"), nb::arg("weights"), nb::arg("keep_duplicates"), nb::arg("threads"),
      nb::arg("memory"), nb::arg("device"), "What generating takes at its peak.");
}

}  // namespace gossamer_python
