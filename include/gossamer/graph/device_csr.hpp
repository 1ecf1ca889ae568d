// Graphs that lie in the memory of one GPU: the twin of csr.hpp.
//
// The host's graph and this one have the same arrays, flags and words; only where the arrays are
// differs, and who may read them. Immutable once made; copies share memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

/// A contiguous block of T in the memory of a GPU, whoever owns it: the twin of shared_array. The
/// CPU cannot read its elements. Copies share it.
template <class T>
class device_array {
 public:
  device_array() = default;
  /// Takes the buffer over.
  explicit device_array(buffer<T>&& made) : data_(made.data()), size_(made.size()) {
    owner_ = std::make_shared<buffer<T>>(std::move(made));
  }
  /// `n` elements at `data`, kept alive by `owner`.
  device_array(T* data, std::size_t n, std::shared_ptr<void> owner)
      : owner_(std::move(owner)), data_(data), size_(n) {}

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// What keeps the memory alive.
  [[nodiscard]] const std::shared_ptr<void>& owner() const noexcept { return owner_; }
  /// The first `n` elements of the same memory.
  [[nodiscard]] device_array first(std::size_t n) const { return {data_, n, owner_}; }

 private:
  std::shared_ptr<void> owner_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An immutable graph in CSR form in the memory of one GPU; what its parts mean is csr.hpp's.
struct device_csr {
  int ordinal = -1;  ///< the GPU
  std::string name;
  device_array<edge_offset> offsets;                                     ///< n + 1
  std::variant<device_array<vertex32>, device_array<vertex64>> columns;  ///< m, stored arcs
  std::variant<std::monostate, device_array<std::int32_t>, device_array<float>,
               device_array<double>>
      weights;                     ///< none or m
  bool symmetric = false;          ///< (u,v) is stored as often as (v,u), weights alike
  bool sorted = true;              ///< rows ascending by column
  std::int64_t longest_row = 0;    ///< arcs of the longest row
  std::vector<std::string> steps;  ///< transformations applied, in words, as the host's builder's

  [[nodiscard]] std::int64_t vertices() const noexcept {
    return offsets.size() == 0 ? 0 : static_cast<std::int64_t>(offsets.size()) - 1;
  }
  [[nodiscard]] std::int64_t arcs() const noexcept {
    return std::visit([](const auto& a) { return static_cast<std::int64_t>(a.size()); }, columns);
  }
  /// Bytes per id in `columns`: 4 or 8.
  [[nodiscard]] int id_width() const noexcept { return columns.index() == 0 ? 4 : 8; }
  [[nodiscard]] bool weighted() const noexcept { return weights.index() != 0; }
};

/// The same graph in host memory, copied through pinned pieces (machine/pieces.hpp).
graph to_host(const device_csr& g);
/// The same arrays as a `graph` whose arrays lie on a GPU: shared.
graph as_graph(const device_csr& g);
/// `g`, or a copy in host memory where its arrays lie on a GPU. Another graph to what is kept.
graph on_host(const graph& g);

}  // namespace gossamer
