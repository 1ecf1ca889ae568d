// Engines and options of all algorithms, as the command line, signatures and reference go by them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "text.hpp"

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
  return {{"name", o.name},       {"type", type_name(o.type)},
          {"unit", o.unit},       {"default", value_to_python(o.standard)},
          {"choices", o.choices}, {"optional", o.optional},
          {"least", o.least},     {"most", o.most},
          {"meaning", o.meaning}, {"engines", o.engines}};
}

fields engine_to_python(const gossamer::engine_info& e) {
  return {{"name", e.name},
          {"meaning", e.meaning},
          {"chosen", e.chosen},
          {"cpus", e.cpus},
          {"gpus", e.gpus},
          {"mixed", e.mixed},
          {"gpus_of_processes", e.gpus_of_processes}};
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
}

}  // namespace gossamer_python
