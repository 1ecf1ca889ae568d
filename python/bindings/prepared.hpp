// What sssp, components and pagerank share: prepared for a graph on a machine, run again and again.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "arrays.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "machine.hpp"
#include "restartable.hpp"
#include "text.hpp"
#include "trace.hpp"
#include "worklist.hpp"

namespace gossamer_python {

inline std::optional<std::chrono::nanoseconds> deadline_of(std::optional<double> timeout) {
  if (!timeout) return {};
  gossamer::require(*timeout > 0, "timeout: not a positive number of seconds");
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(*timeout, 1e9) * 1e9));
}

/// What Python runs again and again.
template <class Prepared>
struct handle {
  restartable<Prepared> runs;
};

/// Prepared::prepare(machine, given..., options); `options.run` says what all runs have.
template <class Prepared, class Options, class... Given>
std::unique_ptr<handle<Prepared>> make_handle(const char* name, const machine_handle& machine,
                                              Options options, std::optional<double> timeout,
                                              const Given&... given) {
  options.run.deadline = deadline_of(timeout);
  return std::make_unique<handle<Prepared>>(restartable<Prepared>(
      name, timeout, machine, options.run, [=](const gossamer::run_options& run) {
        auto o = options;
        o.run.follow(run);
        return Prepared::prepare(*machine, given..., o);
      }));
}

/// A value of an option as Python gives it.
inline gossamer::option_value option_value_of(const std::string& name, nb::handle value) {
  if (value.is_none()) return {};
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  throw gossamer::usage_error(name + ": no text, number, True, False or None");
}

/// Options by their names; `part_of`: an array of partition "file".
template <class Options>
Options options_of(const nb::kwargs& named, const std::optional<int32s>& part_of = {}) {
  std::vector<std::pair<std::string, gossamer::option_value>> values;
  for (const auto& [key, value] : named) {
    const auto name = nb::cast<std::string>(key);
    values.emplace_back(name, option_value_of(name, value));
  }
  Options o = gossamer::options_from<Options>(values);
  if constexpr (requires { o.part_of; }) {
    if (part_of) {
      const auto shared = share<std::int32_t>(*part_of);
      o.part_of.assign(shared.begin(), shared.end());
    }
  }
  return o;
}

/// What NVRTC made of a program, by architecture.
using program_images = nb::typed<nb::dict, nb::int_, nb::bytes>;
inline std::map<int, std::string> images_of(const program_images& images) {
  std::map<int, std::string> out;
  for (const auto& [architecture, image] : images) {
    const auto bytes = nb::cast<nb::bytes>(image);
    out[nb::cast<int>(architecture)] = std::string(bytes.c_str(), bytes.size());
  }
  return out;
}

/// What all results have, ranks where there is a choice, and `out`, what one has of its own.
template <class Result>
fields describe(const Result& r, fields out) {
  if constexpr (requires { r.ranks_reason; }) {
    out["ranks_used"] = r.ranks_used;
    out["ranks_reason"] = r.ranks_reason;
  }
  out["engine"] = r.engine;
  out["engine_reason"] = r.engine_reason;
  out["milliseconds"] = r.milliseconds;
  out["phases"] = numbers_by_name(r.phases);
  if constexpr (requires { r.work; }) out["work"] = worklist_to_python(r.work);
  return out;
}

template <class Array>
nb::object view_of(const Array& array) {
  return std::visit([](const auto& a) { return numpy_view(a); }, array);
}

/// Values by vertex where a run left them, of whatever types there may be.
struct values_handle {
  gossamer::gpu_values there;
  bool floating;                   ///< their type; said without bringing them here
  std::function<numbers()> numpy;  ///< brings them here, once
  /// (DLPack view, address, length, bytes an item, ordinal, kind)
  using viewed = std::tuple<anything, std::uintptr_t, std::int64_t, int, int, const char*>;
  std::function<viewed()> view;
};

template <class Variant>
values_handle values_of(const gossamer::result_values<Variant>& values) {
  const auto view = [values] {
    const auto& there = values.there();
    return std::visit(
        [&]<class T>(const gossamer::shared_array<T>&) -> values_handle::viewed {
          // Shared with whoever consumes it, who may write: it is the result's own memory.
          auto* const data = const_cast<void*>(there.data.get());
          const auto owner = std::const_pointer_cast<void>(there.data);
          const char* const kind = std::is_floating_point_v<T> ? "f"
                                   : std::is_unsigned_v<T>     ? "u"
                                                               : "i";
          return {dlpack_view(data, static_cast<std::size_t>(there.size), nb::dtype<T>(),
                              there.ordinal, owner),
                  reinterpret_cast<std::uintptr_t>(data),
                  there.size,
                  int{sizeof(T)},
                  there.ordinal,
                  kind};
        },
        values.type_only());
  };
  const auto numpy = [values]() -> numbers {
    run_work([values](work_control&) { static_cast<void>(values.get()); });
    return view_of(values.get());
  };
  const bool floating = std::visit(
      []<class T>(const gossamer::shared_array<T>&) { return std::is_floating_point_v<T>; },
      values.type_only());
  return {values.there(), floating, numpy, view};
}

/// make_…: `Prepared` of a graph, and of what else it says itself.
template <class Prepared, class Options>
void bind_maker(nb::module_& m, const char* function, const char* name) {
  m.def(
      function,
      [name](const machine_handle& machine, const gossamer::graph& g,
             const std::optional<int32s>& part_of, std::optional<double> timeout,
             const trace_handle& trace, const nb::kwargs& options) {
        auto o = options_of<Options>(options, part_of);
        o.run.trace = trace;
        return make_handle<Prepared>(name, machine, o, timeout, g);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("part_of").none(), nb::arg("timeout").none(),
      nb::arg("trace").none(), nb::arg("options"));
}

/// plan_…: Prepared::plan(machine, graph, given..., options).
template <class Prepared, class Options, class Graph, class... Given, class... Names>
void bind_plan(nb::module_& m, const char* function, const Names&... names) {
  m.def(
      function,
      [](const machine_handle& machine, const Graph& g, Given... given,
         const std::optional<int32s>& part_of, const nb::kwargs& options) {
        const auto o = options_of<Options>(options, part_of);
        return plan_to_python(
            run_work([=](work_control&) { return Prepared::plan(*machine, g, given..., o); }));
      },
      nb::arg("machine"), nb::arg("graph"), names..., nb::arg("part_of").none(),
      nb::arg("options"));
}

/// What verify(stop) says of a result, within `timeout` seconds.
template <class Verify>
auto verdict_within(std::optional<double> timeout, const Verify& verify) {
  const auto v = run_work([=](work_control& c) { return verify(c.stop.get_token()); },
                          within(timeout, "the verification"));
  if constexpr (requires { v.residual; })
    return std::make_tuple(v.ok, v.residual, v.allowed, v.reason);
  else
    return std::make_tuple(v.ok, v.reason);
}

/// An array that need not be given; empty: it is not.
template <class T, class Array>
gossamer::shared_array<T> share_optional(const std::optional<Array>& array) {
  return array ? share<T>(*array) : gossamer::shared_array<T>();
}

/// An array of one of the types that a variant holds, shared; usage_error for others.
template <class Variant, std::size_t I = 0>
Variant share_any(const nb::object& array, const char* what) {
  if constexpr (I == std::variant_size_v<Variant>) {
    throw gossamer::usage_error(std::string(what) + ": expected a contiguous array of its type");
  } else {
    using type =
        std::remove_reference_t<decltype(*std::variant_alternative_t<I, Variant>().data())>;
    if (holds<type>(array)) return share<type>(array);
    return share_any<Variant, I + 1>(array, what);
  }
}

}  // namespace gossamer_python
