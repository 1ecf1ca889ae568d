// What sssp, components and pagerank share: prepared for a graph on a machine, run again and again.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <variant>

#include "arrays.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "machine.hpp"
#include "restartable.hpp"
#include "text.hpp"

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

/// Options by their names; `part_of`: an array of partition "file", or None.
template <class Options>
Options options_of(const nb::kwargs& named, const nb::object& part_of = nb::none()) {
  std::vector<std::pair<std::string, gossamer::option_value>> values;
  for (const auto& [key, value] : named) {
    const auto name = nb::cast<std::string>(key);
    values.emplace_back(name, option_value_of(name, value));
  }
  Options o = gossamer::options_from<Options>(values);
  if constexpr (requires { o.part_of; }) {
    if (!part_of.is_none()) {
      const auto shared = share<std::int32_t>(part_of);
      o.part_of.assign(shared.begin(), shared.end());
    }
  }
  return o;
}

/// What all results have; ranks where there is a choice.
template <class Result>
nb::dict describe(const Result& r) {
  nb::dict out, phases;
  if constexpr (requires { r.ranks_reason; }) {
    out["ranks_used"] = r.ranks_used;
    out["ranks_reason"] = r.ranks_reason;
  }
  out["engine"] = r.engine;
  out["engine_reason"] = r.engine_reason;
  out["milliseconds"] = r.milliseconds;
  for (const auto& [name, seconds] : r.phases) phases[name.c_str()] = seconds;
  out["phases"] = phases;
  return out;
}

template <class Array>
nb::object view_of(const Array& array) {
  return std::visit([](const auto& a) { return numpy_view(a); }, array);
}

/// Values by vertex where a run left them, of whatever types there may be.
struct values_handle {
  gossamer::gpu_values there;
  std::function<nb::object()> numpy;  ///< brings them here, once
  std::function<nb::object()>
      view;  ///< (DLPack view, address, length, bytes an item, ordinal, kind)
};

template <class Variant>
values_handle values_of(const gossamer::result_values<Variant>& values) {
  const auto view = [values] {
    const auto& there = values.there();
    return std::visit(
        [&]<class T>(const gossamer::shared_array<T>&) -> nb::object {
          // Shared with whoever consumes it, who may write: it is the result's own memory.
          auto* const data = const_cast<void*>(there.data.get());
          const auto owner = std::const_pointer_cast<void>(there.data);
          const char* const kind = std::is_floating_point_v<T> ? "f"
                                   : std::is_unsigned_v<T>     ? "u"
                                                               : "i";
          return nb::make_tuple(dlpack_view(data, static_cast<std::size_t>(there.size),
                                            nb::dtype<T>(), there.ordinal, owner),
                                reinterpret_cast<std::uintptr_t>(data), there.size, sizeof(T),
                                there.ordinal, kind);
        },
        values.type_only());
  };
  const auto numpy = [values] {
    run_work([values](work_control&) { static_cast<void>(values.get()); });
    return view_of(values.get());
  };
  return {values.there(), numpy, view};
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
