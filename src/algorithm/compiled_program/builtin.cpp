// Row functions of a few common expressions, so that they need no compiler. Their arithmetic is
// that of the compiled text (text.cpp): integers wrap.
#include <array>

#include "algorithm/compiled_program/order_key.hpp"

namespace gossamer {

namespace {

using program_detail::from_key;
using program_detail::key_of;
using program_detail::to_key;

enum form : std::uint8_t {
  same,
  plus_weight,
  plus_one,
  smaller_of,
  larger_of,
  times_weight,
  forms
};

constexpr std::array<const char*, forms> texts = {
    "value",
    "gs_add(value, weight)",
    "gs_add(value, T(1))",
    "gs_min(value, weight)",
    "gs_max(value, weight)",
    "gs_mul(value, weight)",
};

template <class T, class F>
T wrapped(T a, T b, const F& f) {
  if constexpr (std::is_floating_point_v<T>)
    return f(a, b);
  else
    return static_cast<T>(f(static_cast<key_of<T>>(a), static_cast<key_of<T>>(b)));
}

template <form Form, class T>
T out(T value, T weight) {
  if constexpr (Form == plus_weight)
    return wrapped(value, weight, [](auto a, auto b) { return a + b; });
  else if constexpr (Form == plus_one)
    return wrapped(value, T{1}, [](auto a, auto b) { return a + b; });
  else if constexpr (Form == smaller_of)
    return weight < value ? weight : value;
  else if constexpr (Form == larger_of)
    return weight > value ? weight : value;
  else if constexpr (Form == times_weight)
    return wrapped(value, weight, [](auto a, auto b) { return a * b; });
  else
    return value;
}

template <form Form, class T, bool Larger>
void row(const void* key, std::int64_t, const void* weights, std::int64_t arcs, void* keys) {
  const T value = from_key<T>(*static_cast<const key_of<T>*>(key), Larger);
  const T* w = static_cast<const T*>(weights);
  auto* to = static_cast<key_of<T>*>(keys);
  for (std::int64_t i = 0; i < arcs; ++i)
    to[i] = to_key(out<Form>(value, w == nullptr ? T{0} : w[i]), Larger);
}

template <form Form>
row_function row_of(program_type type, bool larger) {
  return program_detail::with_type(type, [&]<class T>(T) -> row_function {
    return larger ? &row<Form, T, true> : &row<Form, T, false>;
  });
}

}  // namespace

std::vector<std::string> builtin_expressions() {
  return {texts.begin(), texts.end()};
}

row_function builtin_row(program_type type, bool larger, const std::string& expression) {
  constexpr std::array<row_function (*)(program_type, bool), forms> rows = {
      &row_of<same>,       &row_of<plus_weight>, &row_of<plus_one>,
      &row_of<smaller_of>, &row_of<larger_of>,   &row_of<times_weight>};
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (expression == texts[i]) return rows[i](type, larger);
  return nullptr;
}

}  // namespace gossamer
