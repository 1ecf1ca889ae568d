// Distances: prepared once, found any number of times from any sources, verified.
#include "gossamer/algorithm/distances.hpp"

#include "prepared.hpp"

namespace gossamer_python {

namespace {

using gossamer::distance_kind;
using gossamer::distances_options;
using gossamer::distances_search;
using gossamer::graph;
using gossamer::graph_shape;

/// An array; None where there is none.
template <class T>
nb::object array_or_none(const gossamer::shared_array<T>& array, bool there) {
  if (!there) return nb::none();
  return nb::object(numpy_view(array));
}

fields run_distances(handle<distances_search>& h, const std::optional<int64s>& sources,
                     const std::optional<int64s>& targets) {
  const auto from =
      sources ? share<std::int64_t>(*sources) : gossamer::shared_array<std::int64_t>();
  const auto to = targets ? share<std::int64_t>(*targets) : gossamer::shared_array<std::int64_t>();
  const bool some = sources.has_value(), matrix = targets.has_value();
  const auto r = h.runs.run([=](distances_search& s) {
    if (matrix) return s.run(from.span(), to.span());
    return some ? s.run(from.span()) : s.run();
  });
  fields out = describe(r, GOSSAMER_NAMED(r.diameter, r.end, r.all_reached, r.searches, r.alone));
  // Whether it was asked for does not show in an array of no source.
  const bool sums = r.measure == gossamer::distance_measure::sums;
  out["reached"] = array_or_none(r.reached, sums);
  out["sums"] = array_or_none(r.sums, sums);
  out["reciprocals"] = array_or_none(r.reciprocals, sums);
  out["eccentricities"] =
      array_or_none(r.eccentricities, r.measure != gossamer::distance_measure::diameter);
  out["_depths"] = matrix ? nb::object(view_of(r.depths)) : nb::none();
  return out;
}

distance_kind kind_of(const std::string& name) {
  constexpr std::pair<const char*, distance_kind> kinds[] = {
      {"reached", distance_kind::reached},     {"sums", distance_kind::sums},
      {"closeness", distance_kind::closeness}, {"wide_closeness", distance_kind::wide_closeness},
      {"harmonic", distance_kind::harmonic},   {"eccentricity", distance_kind::eccentricity}};
  for (const auto& [called, kind] : kinds)
    if (name == called) return kind;
  throw gossamer::usage_error("verify_distances: there is no number '" + name + "'");
}

}  // namespace

void bind_distances(nb::module_& m) {
  nb::class_<handle<distances_search>>(m, "DistancesSearch")
      .def("run", &run_distances, nb::arg("sources").none(), nb::arg("targets").none());
  bind_maker<distances_search, distances_options>(m, "make_distances_search", "distances");
  bind_plan<distances_search, distances_options, graph>(m, "plan_distances");
  bind_plan<distances_search, distances_options, graph_shape>(m, "plan_distances");
  m.def(
      "verify_distances",
      [](const graph& g, const std::string& kind, bool inward, const int64s& sources,
         const doubles& values, std::int64_t samples, std::optional<double> timeout) {
        const auto of = kind_of(kind);
        const auto from = share<std::int64_t>(sources);
        const auto given = share<double>(values);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_distances(g, of, inward, from.span(), given.span(), samples,
                                            stop);
        });
      },
      nb::arg("graph"), nb::arg("kind"), nb::arg("inward"), nb::arg("sources"), nb::arg("values"),
      nb::arg("samples"), nb::arg("timeout").none(), "(ok, first violation).");
  m.def(
      "verify_depths",
      [](const graph& g, bool inward, const int64s& sources, const int32s& depths,
         std::optional<double> timeout) {
        const auto from = share<std::int64_t>(sources);
        const auto given = share<std::int32_t>(depths);
        return verdict_within(timeout, [=](const auto& stop) {
          return gossamer::verify_depths(g, inward, from.span(), given, stop);
        });
      },
      nb::arg("graph"), nb::arg("inward"), nb::arg("sources"), nb::arg("depths"),
      nb::arg("timeout").none(), "(ok, first violation).");
}

}  // namespace gossamer_python
