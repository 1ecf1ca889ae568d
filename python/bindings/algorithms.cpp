// Engines and options of all algorithms, as the command line, signatures and reference go by them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "gossamer/algorithm/machine_choice.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "machine.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

nb::object value_to_python(const gossamer::option_value& value) {
  return std::visit(
      []<class T>(const T& v) -> nb::object {
        if constexpr (std::is_same_v<T, std::monostate>)
          return nb::none();
        else
          return nb::cast(v);
      },
      value);
}

const char* type_name(gossamer::option_type type) {
  using enum gossamer::option_type;
  return type == flag ? "bool" : type == integer ? "int" : type == number ? "float" : "str";
}

fields option_to_python(const gossamer::option_info& o) {
  fields out = GOSSAMER_NAMED(o.name, o.unit, o.choices, o.optional, o.least, o.most, o.meaning,
                              o.engines, o.cpus_only);
  out["type"] = type_name(o.type);
  out["default"] = value_to_python(o.standard);
  return out;
}

fields engine_to_python(const gossamer::engine_info& e) {
  return GOSSAMER_NAMED(e.name, e.meaning, e.chosen, e.cpus, e.gpus, e.mixed, e.gpus_of_processes);
}

}  // namespace

void bind_algorithms(nb::module_& m) {
  m.def(
      "algorithms",
      [] {
        using described = nb::typed<nb::list, fields>;
        nb::typed<nb::dict, nb::str, nb::typed<nb::dict, nb::str, described>> all;
        for (const auto& a : gossamer::algorithms()) {
          nb::dict one;
          one["engines"] = list_of(a.engines, engine_to_python);
          one["options"] = list_of(a.options, option_to_python);
          all[a.name.c_str()] = one;
        }
        return all;
      },
      "Engines and options by algorithm, as dicts.");
  m.def(
      "choose_machine",
      [](const machine_handle& on, const gossamer::graph& g, const std::string& algorithm) {
        const auto chosen =
            run_work([=](work_control&) { return gossamer::choose_machine(*on, g, algorithm); });
        return std::make_tuple(chosen.spec, chosen.reason);
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("algorithm"),
      "(spec, why it; empty: as asked for).");
}

}  // namespace gossamer_python
