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
  switch (type) {
    case gossamer::option_type::flag:
      return "bool";
    case gossamer::option_type::integer:
      return "int";
    case gossamer::option_type::number:
      return "float";
    case gossamer::option_type::name:
      break;
  }
  return "str";
}

nb::dict option_to_python(const gossamer::option_info& o) {
  nb::dict out;
  out["name"] = o.name;
  out["type"] = type_name(o.type);
  out["optional"] = o.optional;
  out["default"] = value_to_python(o.standard);
  out["choices"] = o.choices;
  out["least"] = o.least;
  out["most"] = o.most;
  out["unit"] = o.unit;
  out["meaning"] = o.meaning;
  out["engines"] = o.engines;
  return out;
}

nb::dict engine_to_python(const gossamer::engine_info& e) {
  nb::dict out;
  out["name"] = e.name;
  out["meaning"] = e.meaning;
  out["chosen"] = e.chosen;
  out["cpus"] = e.cpus;
  out["gpus"] = e.gpus;
  out["mixed"] = e.mixed;
  out["gpus_of_processes"] = e.gpus_of_processes;
  return out;
}

}  // namespace

void bind_algorithms(nb::module_& m) {
  m.def(
      "algorithms",
      [] {
        nb::dict all;
        for (const auto& a : gossamer::algorithms()) {
          nb::list engines, options;
          for (const auto& e : a.engines) engines.append(engine_to_python(e));
          for (const auto& o : a.options) options.append(option_to_python(o));
          nb::dict one;
          one["engines"] = engines;
          one["options"] = options;
          all[a.name.c_str()] = one;
        }
        return all;
      },
      "Engines and options by algorithm, as dicts.");
}

}  // namespace gossamer_python
