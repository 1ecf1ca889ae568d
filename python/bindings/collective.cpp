// Collectives as data: algorithms, schedules, rules, and the tuner.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "gossamer/collective/check.hpp"
#include "gossamer/collective/rules.hpp"
#include "gossamer/collective/schedule.hpp"
#include "gossamer/collective/tune.hpp"
#include "gossamer/machine/system.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

using gossamer::machine;

auto described(std::span<const gossamer::algorithm_info> all) {
  return list_of(all, [](const auto& a) {
    fields out = GOSSAMER_NAMED(a.same_bits, a.host_scratch);
    out["operation"] = std::string(name_of(a.op));
    out["name"] = std::string(a.name);
    out["summary"] = std::string(a.summary);
    return out;
  });
}

gossamer::schedule make_schedule(const std::string& operation, const std::string& algorithm,
                                 int ranks, std::size_t count, std::size_t element, int root,
                                 bool in_place, bool direct, int segments, std::vector<int> mapping,
                                 bool via_host, bool apart) {
  gossamer::collective_request q;
  q.op = gossamer::parse_collective_op(operation);
  q.ranks = ranks;
  q.count = count;
  q.element = element;
  q.root = root;
  q.in_place = in_place;
  q.direct = direct;
  q.segments = segments;
  q.mapping = std::move(mapping);
  q.via_host = via_host;
  q.apart = apart;
  if (q.op == gossamer::collective_op::all_to_all_v)
    q.pair_count = [count](int, int) { return count; };
  return gossamer::schedule(std::move(q), algorithm);
}

fields to_python(const gossamer::tune_measurement& x) {
  fields out = GOSSAMER_NAMED(x.algorithm, x.bytes, x.seconds);
  out["operation"] = std::string(name_of(x.op));
  return out;
}

fields measure(const std::shared_ptr<machine>& m, const std::string& operation,
               const std::string& algorithm, std::size_t bytes) {
  const auto op = gossamer::parse_collective_op(operation);
  return to_python(run_work([=](work_control& control) {
    gossamer::tune_options options;
    options.run.cancel = control.stop.get_token();
    return gossamer::measure_collective(*m, op, bytes, algorithm, options);
  }));
}

/// Empty, or what is wrong.
std::string verify(const std::shared_ptr<machine>& m, const std::string& operation,
                   const std::string& algorithm, std::size_t bytes) {
  const auto op = gossamer::parse_collective_op(operation);
  return run_work([=](work_control& control) {
    gossamer::tune_options options;
    options.run.cancel = control.stop.get_token();
    return gossamer::verify_collective(*m, op, bytes, algorithm, options);
  });
}

fields tune(const std::shared_ptr<machine>& m, const std::vector<std::string>& operations,
            std::size_t max_bytes, progress_function progress) {
  struct outcome {
    gossamer::tune_result result;
    std::string text;
  };
  gossamer::tune_options options;
  for (const auto& name : operations) options.ops.push_back(gossamer::parse_collective_op(name));
  options.max_bytes = max_bytes;
  work_options how;
  how.progress = std::move(progress);
  const auto found = run_work(
      [m, options](work_control& control) mutable {
        options.run.cancel = control.stop.get_token();
        options.progress = [&](const gossamer::tune_measurement&) { ++control.done; };
        auto result = gossamer::tune(*m, options);
        auto text = result.text(*m);
        return outcome{std::move(result), std::move(text)};
      },
      how);
  fields out = GOSSAMER_NAMED(found.text);
  out["rules"] = found.result.rules.text();
  out["measured"] = list_of(found.result.measured, [](const auto& x) { return to_python(x); });
  return out;
}

/// What plans take for buffers in the ranks' own memory: by a modelled system's software, or rules.
std::string chosen(const machine& on, gossamer::collective_op op, std::size_t bytes) {
  if (const auto& system = on[0].model; system != nullptr && gossamer::left_to_system(on, op)) {
    const auto* row = system->collective_of(name_of(op), bytes, on.size(), system->native);
    if (row != nullptr) return row->algorithm;
  }
  return std::string(gossamer::selection_rules::of(on).algorithm(op, bytes));
}

/// The rows of a modelled system's own software that plans take there, as (operation, algorithm,
/// largest size or None).
auto own_software(const machine& on) {
  std::vector<std::tuple<std::string, std::string, std::optional<std::size_t>>> out;
  const auto& system = on[0].model;
  if (system == nullptr) return out;
  for (const auto& row : system->collectives) {
    if (row.buffers && *row.buffers != system->native) continue;
    if (!gossamer::left_to_system(on, gossamer::parse_collective_op(row.operation))) continue;
    std::optional<std::size_t> limit;
    if (row.up_to != 0) limit = row.limit(on.size());
    out.emplace_back(row.operation, row.algorithm, limit);
  }
  return out;
}

}  // namespace

void bind_collective(nb::module_& m) {
  m.def("collective_algorithms", [] { return described(gossamer::collective_algorithms()); });
  m.def("library_algorithms", [] { return described(gossamer::library_algorithms()); });
  nb::class_<gossamer::schedule>(m, "Schedule", "A collective as data.")
      .def(nb::new_(&make_schedule), nb::arg("operation"), nb::arg("algorithm"), nb::arg("ranks"),
           nb::arg("count"), nb::arg("element"), nb::arg("root"), nb::arg("in_place"),
           nb::arg("direct"), nb::arg("segments"), nb::arg("mapping"), nb::arg("via_host") = false,
           nb::arg("apart") = false)
      .def("text",
           [](const gossamer::schedule& s) {
             return run_work([s](work_control&) { return s.text(); });
           })
      .def("json",
           [](const gossamer::schedule& s) {
             return run_work([s](work_control&) { return s.json(); });
           })
      .def("check", [](const gossamer::schedule& s) {
        return run_work([s](work_control&) { return gossamer::check(s); });
      });
  m.def("tune", &tune, nb::arg("machine"), nb::arg("operations"), nb::arg("max_bytes"),
        nb::arg("progress").none());
  m.def("measure_collective", &measure, nb::arg("machine"), nb::arg("operation"),
        nb::arg("algorithm"), nb::arg("bytes"));
  m.def("verify_collective", &verify, nb::arg("machine"), nb::arg("operation"),
        nb::arg("algorithm"), nb::arg("bytes"));
  m.def(
      "collective_choice",
      [](const std::shared_ptr<machine>& on, const std::string& operation, std::size_t bytes) {
        return chosen(*on, gossamer::parse_collective_op(operation), bytes);
      },
      nb::arg("machine"), nb::arg("operation"), nb::arg("bytes"));
  m.def(
      "collective_own_software",
      [](const std::shared_ptr<machine>& on) { return own_software(*on); }, nb::arg("machine"));
  m.def(
      "collective_rules",
      [](const std::shared_ptr<machine>& on) { return gossamer::selection_rules::of(*on).text(); },
      nb::arg("machine"));
  m.def(
      "collective_rules_file",
      [](const std::shared_ptr<machine>& on) -> std::optional<std::filesystem::path> {
        std::string file = gossamer::selection_rules::file_of(*on);
        if (file.empty()) return {};
        return file;
      },
      nb::arg("machine"));
}

}  // namespace gossamer_python
