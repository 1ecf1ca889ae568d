// Row functions of a few common expressions, so that they need no compiler.
#include "algorithm/vertex_program/builtin.hpp"

#include <array>
#include <cstddef>

namespace gossamer {

namespace program_detail {

namespace {

constexpr std::array<const char*, forms> texts = {
    "value",
    "gs_add(value, weight)",
    "gs_add(value, T(1))",
    "gs_min(value, weight)",
    "gs_max(value, weight)",
    "gs_mul(value, weight)",
};

template <form Form, class T, program_update Update>
void row(const void* key, std::int64_t, const void* weights, std::int64_t arcs, void* keys) {
  const T value = from_key<T>(*static_cast<const key_of<T>*>(key), Update);
  const T* w = static_cast<const T*>(weights);
  auto* to = static_cast<key_of<T>*>(keys);
  for (std::int64_t i = 0; i < arcs; ++i)
    to[i] = to_key(sent_along(Form, value, w == nullptr ? T{0} : w[i]), Update);
}

template <form Form>
row_function row_of(program_type type, program_update update) {
  return with_type(type, [&]<class T>(T) -> row_function {
    switch (update) {
      case program_update::smaller:
        return &row<Form, T, program_update::smaller>;
      case program_update::larger:
        return &row<Form, T, program_update::larger>;
      default:  // as they are
        return &row<Form, T, program_update::sum>;
    }
  });
}

}  // namespace

std::optional<form> builtin_form(const std::string& expression) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (expression == texts[i]) return static_cast<form>(i);
  return std::nullopt;
}

}  // namespace program_detail

std::vector<std::string> builtin_expressions() {
  return {program_detail::texts.begin(), program_detail::texts.end()};
}

row_function builtin_row(program_type type, program_update update, const std::string& expression) {
  using namespace program_detail;
  constexpr std::array<row_function (*)(program_type, program_update), forms> rows = {
      &row_of<same>,       &row_of<plus_weight>, &row_of<plus_one>,
      &row_of<smaller_of>, &row_of<larger_of>,   &row_of<times_weight>};
  const auto which = builtin_form(expression);
  return which ? rows[*which](type, update) : nullptr;
}

}  // namespace gossamer
