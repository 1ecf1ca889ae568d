// Graph generators, their edge lists apart from the graphs, and what generating will take.

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gossamer/graph/generated_list.hpp"
#include "gossamer/graph/generators.hpp"
#include "text.hpp"
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

/// Runs make(options) with stop and progress of the work.
template <class Make>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved from, in a template
auto run_generating(gossamer::generate_options o, progress_function progress, Make make) {
  return run_work(
      [o, make = std::move(make)](work_control& c) mutable {
        constexpr std::int64_t steps = 1'000'000;
        c.total = steps;
        o.stop = c.stop.get_token();
        o.progress = [&c](double part) {
          c.done.store(static_cast<std::int64_t>(part * steps), std::memory_order_relaxed);
        };
        return make(o);
      },
      {.progress = std::move(progress)});
}

/// A list that work left behind may still hold; null once a graph was built from it.
struct list_handle {
  std::shared_ptr<gossamer::generated_list> list;
  [[nodiscard]] const std::shared_ptr<gossamer::generated_list>& there() const {
    gossamer::require(list != nullptr, "the edge list has become a graph already");
    return list;
  }
};

void bind_edge_list(nb::module_& m) {
  nb::class_<list_handle>(m, "EdgeList")
      .def_prop_ro("edges", [](const list_handle& h) { return h.there()->edges(); })
      .def(
          "count_by_source",
          [](const list_handle& h, int threads) -> int64s {
            return numpy_view(run_work([list = h.there(), threads](work_control& c) {
              return list->count_by_source(threads, c.stop.get_token());
            }));
          },
          nb::arg("threads"), "[vertices]: entries whose first end is the vertex.");
  m.def(
      "generate_list",
      [](const std::string& spec, int threads, std::int64_t memory, progress_function progress) {
        const auto parsed = gossamer::parse_generator(spec);
        return run_generating(
            make_options(false, false, threads, memory, -1), std::move(progress),
            [parsed](const gossamer::generate_options& o) {
              return list_handle{std::make_shared<gossamer::generated_list>(parsed, o)};
            });
      },
      nb::arg("spec"), nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none());
  m.def(
      "build_list",
      [](list_handle& h, int threads, progress_function progress) {
        const auto list = h.there();
        h.list = nullptr;
        return run_generating(make_options(false, false, threads, 0, -1), std::move(progress),
                              [list](const gossamer::generate_options& o) {
                                return gossamer::build_list(std::move(*list), o);
                              });
      },
      nb::arg("list"), nb::arg("threads"), nb::arg("progress").none(),
      "The graph of a list, which is consumed.");
}

}  // namespace

void bind_graph_generate(nb::module_& m) {
  bind_edge_list(m);
  m.def("generator_forms", &gossamer::generator_forms, "What specs look like, one a generator.");
  m.def(
      "is_generator", [](const std::string& text) { return gossamer::is_generator(text); },
      nb::arg("text"), "True when the text begins with a generator's name and a colon.");
  m.def(
      "generate",
      [](const std::string& spec, bool weights, bool keep_duplicates, int threads,
         std::int64_t memory, int device, progress_function progress) {
        const auto o = make_options(weights, keep_duplicates, threads, memory, device);
        const auto parsed = gossamer::parse_generator(spec);
        return run_generating(o, std::move(progress),
                              [parsed](const gossamer::generate_options& options) {
                                return gossamer::generate(parsed, options);
                              });
      },
      nb::arg("spec"), nb::arg("weights"), nb::arg("keep_duplicates"), nb::arg("threads"),
      nb::arg("memory"), nb::arg("device"), nb::arg("progress").none());
  m.def(
      "generate_on_gpu",
      [](const std::string& spec, bool weights, int device, progress_function progress) {
        const auto parsed = gossamer::parse_generator(spec);
        return run_generating(make_options(weights, false, 0, 0, device), std::move(progress),
                              [parsed](const gossamer::generate_options& options) {
                                return gossamer::generate_on_gpu(parsed, options);
                              });
      },
      nb::arg("spec"), nb::arg("weights"), nb::arg("device"), nb::arg("progress").none(),
      "The graph in the memory of a GPU.");
  m.def(
      "is_listed", [](const std::string& spec) { return gossamer::parse_generator(spec).listed(); },
      nb::arg("spec"));
  m.def(
      "plan_generate",
      [](const std::string& spec, bool weights, bool keep_duplicates, int threads,
         std::int64_t memory, int device) {
        const auto plan = gossamer::plan_generate(
            gossamer::parse_generator(spec),
            make_options(weights, keep_duplicates, threads, memory, device));
        fields out = GOSSAMER_NAMED(plan.vertices, plan.exact, plan.longest_row, plan.weight_bytes,
                                    plan.graph_bytes, plan.host_bytes, plan.device_bytes);
        out["arcs"] = plan.arcs_bound;
        return out;
      },
      nb::arg("spec"), nb::arg("weights"), nb::arg("keep_duplicates"), nb::arg("threads"),
      nb::arg("memory"), nb::arg("device"), "What generating takes at its peak.");
}

}  // namespace gossamer_python
