// Converts weights to the program's type, or refuses the first that it cannot hold, by name of the
// arc.
#include "algorithm/vertex_program/weights.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/vertex_program/order_key.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/first_where.hpp"

namespace gossamer::program_detail {

namespace {

constexpr std::array<const char*, 6> type_names = {"int32",  "int64",   "uint32",
                                                   "uint64", "float32", "float64"};

/// Whether T has this very number; floats take the nearest.
template <class T, class Weight>
bool holds(Weight w) {
  if constexpr (std::is_floating_point_v<T>) {
    return true;
  } else if constexpr (std::is_integral_v<Weight>) {
    return std::in_range<T>(w);
  } else {
    const auto number = static_cast<double>(w);
    return number >= static_cast<double>(std::numeric_limits<T>::min()) &&
           number < std::ldexp(1.0, std::numeric_limits<T>::digits) && number == std::trunc(number);
  }
}

template <class T, class Weight>
shared_array<T> convert(const graph& g, const shared_array<Weight>& weights, program_type type,
                        const std::stop_token& stop) {
  if constexpr (std::is_same_v<T, Weight>) {
    return weights;
  } else {
    const std::int64_t bad = first_where(
        g.arcs(), host().cores, stop, "weights",
        [&](std::int64_t e) { return !holds<T>(weights[static_cast<std::size_t>(e)]); });
    if (bad != nowhere)
      algorithm_detail::refuse_weight(
          g, bad, std::string(", which is no ") + type_names[static_cast<std::size_t>(type)]);
    const auto out = make_array<T>(weights.size());
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = static_cast<T>(weights[e]);
    return out;
  }
}

template <class Weight>
void look_at(const shared_array<Weight>& weights, converted_weights& out) {
  double sum = 0;
  bool negative = false;
  for (const Weight w : weights) {
    negative = negative || w < Weight{0};
    if (const auto size = std::abs(static_cast<double>(w)); std::isfinite(size)) sum += size;
  }
  out.mean = weights.empty() ? 0 : sum / static_cast<double>(weights.size());
  out.negative = negative;
}

}  // namespace

converted_weights convert_weights(const graph& g, program_type type, const std::stop_token& stop) {
  converted_weights out;
  std::visit(
      [&]<class Array>(const Array& weights) {
        if constexpr (!std::is_same_v<Array, std::monostate>) {
          with_type(type, [&]<class T>(T) { out.values = convert<T>(g, weights, type, stop); });
          look_at(weights, out);
        }
      },
      g.weights);
  return out;
}

void refuse_negative(const graph& g) {
  std::visit(
      [&]<class Array>(const Array& weights) {
        if constexpr (!std::is_same_v<Array, std::monostate>)
          for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] < 0)
              algorithm_detail::refuse_weight(g, static_cast<std::int64_t>(i),
                                              ", and sums only grow");
      },
      g.weights);
}

std::int64_t converted_bytes(const graph& g, program_type type) {
  const bool shared =
      (std::holds_alternative<shared_array<std::int32_t>>(g.weights) &&
       type == program_type::int32) ||
      (std::holds_alternative<shared_array<float>>(g.weights) && type == program_type::float32) ||
      (std::holds_alternative<shared_array<double>>(g.weights) && type == program_type::float64);
  return shared ? 0 : g.arcs() * value_bytes(type);
}

}  // namespace gossamer::program_detail
