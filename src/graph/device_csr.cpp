// to_host: arrays of a GPU's graph into arrays of the host's.
#include "gossamer/graph/device_csr.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/machine/pieces.hpp"

namespace gossamer {

namespace {

/// Of a device_array or a shared_array.
template <class Array, class T = std::remove_pointer_t<decltype(std::declval<Array>().data())>>
shared_array<T> copied_back(const Array& from) {
  shared_array<T> to(from.size());
  read_elements(static_cast<const T*>(from.data()), from.size(),
                [&](std::size_t first, std::span<const T> piece) {
                  std::copy(piece.begin(), piece.end(), to.data() + first);
                });
  return to;
}

}  // namespace

graph as_graph(const device_csr& g) {
  const auto shared = []<class T>(const device_array<T>& there) {
    return shared_array<T>(there.data(), there.size(), there.owner());
  };
  graph out;
  out.name = g.name;
  out.offsets = shared(g.offsets);
  std::visit([&](const auto& columns) { out.indices = shared(columns); }, g.columns);
  std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (!std::is_same_v<Weights, std::monostate>) out.weights = shared(weights);
      },
      g.weights);
  out.symmetric = g.symmetric;
  out.sorted = g.sorted;
  if (g.weighted()) out.weight_source = "caller";
  out.steps = g.steps;
  out.gpu = g.ordinal;
  return out;
}

graph on_host(const graph& g) {
  if (g.gpu < 0) return g;
  graph out = g;
  out.life = {};
  out.gpu = -1;
  out.offsets = copied_back(g.offsets);
  std::visit([&](const auto& columns) { out.indices = copied_back(columns); }, g.indices);
  std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (!std::is_same_v<Weights, std::monostate>) out.weights = copied_back(weights);
      },
      g.weights);
  return out;
}

graph to_host(const device_csr& g) {
  return on_host(as_graph(g));
}

}  // namespace gossamer
