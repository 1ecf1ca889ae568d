// to_host: arrays of a GPU's graph into arrays of the host's.
#include "gossamer/graph/device_csr.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

#include "gossamer/machine/pieces.hpp"

namespace gossamer {

namespace {

template <class T>
shared_array<T> copied_back(const device_array<T>& from) {
  shared_array<T> to(from.size());
  read_elements(static_cast<const T*>(from.data()), from.size(),
                [&](std::size_t first, std::span<const T> piece) {
                  std::copy(piece.begin(), piece.end(), to.data() + first);
                });
  return to;
}

}  // namespace

graph to_host(const device_csr& g) {
  graph out;
  out.name = g.name;
  out.offsets = copied_back(g.offsets);
  std::visit([&](const auto& columns) { out.indices = copied_back(columns); }, g.columns);
  std::visit(
      [&]<class Weights>(const Weights& weights) {
        if constexpr (!std::is_same_v<Weights, std::monostate>) out.weights = copied_back(weights);
      },
      g.weights);
  out.symmetric = g.symmetric;
  out.sorted = g.sorted;
  if (g.weighted()) out.weight_source = "caller";
  out.steps = g.steps;
  return out;
}

}  // namespace gossamer
