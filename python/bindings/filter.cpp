// Filter, its verifier and plan, and the graphs of endpoints that programs make.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>

#include "arrays.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "machine.hpp"
#include "text.hpp"
#include "trace.hpp"

namespace gossamer_python {

namespace {

using gossamer::filter_options;
using gossamer::filter_result;

gossamer::filter_split split_of(const std::string& name) {
  if (name == "first-available") return gossamer::filter_split::first_available;
  if (name == "even") return gossamer::filter_split::even;
  throw gossamer::usage_error("split: '" + name + "' is none of first-available, even");
}

filter_options make_options(const std::string& split, bool gather, std::int64_t packet, int buffers,
                            std::vector<double> slowdown, std::int64_t memory) {
  filter_options o;
  o.split = split_of(split);
  o.gather = gather;
  gossamer::require(packet >= 0, "filter: packet must not be negative");
  o.packet = static_cast<std::size_t>(packet);
  o.buffers = buffers;
  o.slowdown = std::move(slowdown);
  o.memory = memory;
  return o;
}

/// Calls f with an array of the type that `array` holds, shared.
template <class F>
auto by_type(const numbers& array, F f) {
  if (holds<std::int32_t>(array)) return f(share<std::int32_t>(array));
  if (holds<std::int64_t>(array)) return f(share<std::int64_t>(array));
  if (holds<float>(array)) return f(share<float>(array));
  return f(share<double>(array));
}

template <class T>
struct kept_result {
  std::shared_ptr<filter_result<T>> result;
  [[nodiscard]] fields to_python() const {
    const auto& r = *result;
    nb::list parts;
    for (const auto& part : r.parts) {
      // Pieces of a GPU's memory come as a copy.
      const auto copy =
          part.blocks.empty() ? nullptr : std::make_shared<std::vector<T>>(part.to_host());
      const std::vector<T>& values = copy ? *copy : part.values;
      auto* const data = const_cast<T*>(values.data());
      parts.append(copy ? numpy_view<T>(data, values.size(), copy)
                        : numpy_view<T>(data, values.size(), result));
    }
    const auto share_of = [](const auto& s) {
      return std::make_tuple(s.segments, s.elements, s.matched, s.busy, s.ended);
    };
    fields out = GOSSAMER_NAMED(r.matched, r.milliseconds, r.ideal_milliseconds, r.packet);
    out["values"] = numpy_view<T>(r.values);
    out["parts"] = parts;
    out["shares"] = list_of(r.shares, share_of);
    return out;
  }
};

fields filter(const machine_handle& machine, const numbers& array, const std::string& predicate,
              const std::string& split, bool gather, std::int64_t packet, int buffers,
              std::vector<double> slowdown, std::int64_t memory, std::optional<double> timeout,
              const trace_handle& trace) {
  auto options = make_options(split, gather, packet, buffers, std::move(slowdown), memory);
  options.run.trace = trace;
  auto waiting = within(timeout, "filter");
  if (timeout) {
    options.run.deadline =
        std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(*timeout, 1e9) * 1e9));
    waiting.late = std::make_shared<std::atomic<bool>>(false);
    options.run.overdue = [late = waiting.late, text = overdue("filter", *timeout)] {
      return late->load() ? text : std::string();
    };
  }
  options.run.cancel = waiting.stop.get_token();
  return by_type(array, [&]<class T>(const gossamer::shared_array<T>& input) {
    const auto keep = gossamer::parse_filter<T>(predicate);
    const kept_result<T> kept{run_work(
        [=](work_control&) {
          return std::make_shared<filter_result<T>>(
              gossamer::filter<T>(*machine, input.span(), keep, options));
        },
        waiting)};
    return kept.to_python();
  });
}

/// Empty, or what is wrong.
std::string verify_filtered(const numbers& array, const std::string& predicate,
                            const numbers& values) {
  return by_type(array, [&]<class T>(const gossamer::shared_array<T>& input) {
    filter_result<T> result;
    result.values = share<T>(values);
    result.matched = static_cast<std::int64_t>(result.values.size());
    const auto keep = gossamer::parse_filter<T>(predicate);
    return run_work([=](work_control&) {
      return gossamer::verify_filter<T>(input.span(), keep, result).reason;
    });
  });
}

}  // namespace

void bind_filter(nb::module_& m) {
  m.def("filter", &filter, nb::arg("machine"), nb::arg("array"), nb::arg("predicate"),
        nb::arg("split"), nb::arg("gather"), nb::arg("packet"), nb::arg("buffers"),
        nb::arg("slowdown"), nb::arg("memory"), nb::arg("timeout").none(), nb::arg("trace").none());
  m.def("verify_filter", &verify_filtered, nb::arg("array"), nb::arg("predicate"),
        nb::arg("values"));
  m.def(
      "plan_filter",
      [](const machine_handle& machine, std::int64_t n, std::size_t element,
         const std::string& split, bool gather, std::int64_t packet, int buffers,
         std::int64_t memory) {
        return plan_to_python(gossamer::plan_filter(
            *machine, n, element, make_options(split, gather, packet, buffers, {}, memory)));
      },
      nb::arg("machine"), nb::arg("n"), nb::arg("element"), nb::arg("split"), nb::arg("gather"),
      nb::arg("packet"), nb::arg("buffers"), nb::arg("memory"));
  m.def(
      "filter_graph",
      [](const machine_handle& machine, std::int64_t n, std::size_t element,
         const std::string& split, bool gather, std::int64_t packet, int buffers, bool json) {
        const auto graph = gossamer::filter_wiring(
            *machine, n, element, make_options(split, gather, packet, buffers, {}, 0));
        return json ? graph.json() : graph.dot();
      },
      nb::arg("machine"), nb::arg("n"), nb::arg("element"), nb::arg("split"), nb::arg("gather"),
      nb::arg("packet"), nb::arg("buffers"), nb::arg("json") = false,
      "The graph of endpoints in Graphviz's language, or as JSON.");
}

}  // namespace gossamer_python
