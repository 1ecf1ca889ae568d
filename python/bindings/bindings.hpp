// What the files of the Python module share: names of types, and dictionaries made of fields.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer_python {

namespace nb = nanobind;

/// A text as an argument of a template.
template <std::size_t N>
struct type_text {
  char chars[N];
  consteval type_text(const char (&text)[N]) { std::copy_n(text, N, chars); }
};

/// An object of the type that the text says to type checkers (the stub is made of signatures); what
/// it is, is looked at where it is used.
template <type_text Text>
class stated : public nb::object {
 public:
  static constexpr auto Name = nb::detail::const_name(Text.chars);
  stated() = default;
  stated(nb::object value) : nb::object(std::move(value)) {}
  stated(nb::handle value, nb::detail::borrow_t how) : nb::object(value, how) {}
  stated(nb::handle value, nb::detail::steal_t how) : nb::object(value, how) {}
  static bool check_(nb::handle) { return true; }
};

using anything = stated<"typing.Any">;
using progress_function = stated<"collections.abc.Callable[[int, int], None]">;
using numbers = stated<"numpy.typing.NDArray[typing.Any]">;
using ids = stated<"numpy.typing.NDArray[numpy.signedinteger[typing.Any]]">;
using int32s = stated<"numpy.typing.NDArray[numpy.int32]">;
using int64s = stated<"numpy.typing.NDArray[numpy.int64]">;
using doubles = stated<"numpy.typing.NDArray[numpy.float64]">;
using octets = stated<"numpy.typing.NDArray[numpy.uint8]">;

/// Values of any types by name.
class fields : public nb::dict {
 public:
  static constexpr auto Name = nb::detail::const_name("dict[str, typing.Any]");
  struct field {
    template <class T>
    field(const char* of, T&& is) : name(of), value(nb::cast(std::forward<T>(is))) {}
    const char* name;
    nb::object value;
  };
  fields(std::initializer_list<field> all = {}) {
    for (const auto& [name, value] : all) (*this)[name] = value;
  }
  /// By names as GOSSAMER_NAMED has them.
  template <class... Values>
  static fields named(std::string_view names, const Values&... values) {
    fields out;
    const auto next = [&names] {
      const std::string_view one = names.substr(0, names.find(','));
      names.remove_prefix(std::min(one.size() + 1, names.size()));
      return std::string(one.substr(one.find_last_of(". ") + 1));  // npos + 1 is 0
    };
    ((out[next().c_str()] = nb::cast(values)), ...);
    return out;
  }
  fields(nb::handle value, nb::detail::borrow_t how) : nb::dict(value, how) {}
  fields(nb::handle value, nb::detail::steal_t how) : nb::dict(value, how) {}
};

/// The values of variables and members by their names: of (s.arcs, steps) "arcs" and "steps".
#define GOSSAMER_NAMED(...) ::gossamer_python::fields::named(#__VA_ARGS__, __VA_ARGS__)

/// A list of what `make` gives of each value.
template <class Values, class Make>
auto list_of(const Values& values, const Make& make) {
  nb::typed<nb::list, decltype(make(*values.begin()))> out;
  for (const auto& value : values) out.append(make(value));
  return out;
}

/// A number by each name.
template <class Named, class Number = double>
auto numbers_by_name(const Named& named) {
  nb::typed<nb::dict, nb::str, Number> out;
  for (const auto& [name, number] : named) out[name.c_str()] = number;
  return out;
}

}  // namespace gossamer_python
