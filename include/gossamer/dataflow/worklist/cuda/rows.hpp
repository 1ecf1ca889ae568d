// Rows in a GPU's memory as a worklist reads them: offsets, and arcs with their weights beside
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shared_array.hpp"
#include "gossamer/dataflow/worklist/cuda/sizes.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer::dataflow::cuda {

/// Arcs with weights beside them into a GPU's memory, from columns and weights of the host.
template <class Weight, class Id, class HostWeight = no_weight>
void write_arcs(buffer<device_arc<Weight>>& arcs, const Id* columns,
                const HostWeight* weights = nullptr) {
  using arc = device_arc<Weight>;
  write_elements(arcs.data(), arcs.size(), [&](std::size_t from, std::span<arc> packed) {
    for (std::size_t k = 0; k < packed.size(); ++k) {
      packed[k].to = static_cast<std::int32_t>(columns[from + k]);
      if constexpr (!std::is_same_v<Weight, no_weight>)
        packed[k].weight = static_cast<Weight>(weights[from + k]);
    }
  });
}
/// The same into memory that is taken now.
template <class Weight, class Id, class HostWeight = no_weight>
buffer<device_arc<Weight>> upload_arcs(const device& on, std::int64_t count, const Id* columns,
                                       const HostWeight* weights = nullptr) {
  auto arcs = make_native_buffer<device_arc<Weight>>(on, static_cast<std::size_t>(count));
  write_arcs(arcs, columns, weights);
  return arcs;
}

/// A copy on the host of what lies in a GPU's memory.
template <class T>
shared_array<T> copy_to_host(const T* there, std::int64_t n) {
  shared_array<T> here(static_cast<std::size_t>(n));
  copy_bytes(here.data(), there, here.size() * sizeof(T));
  return here;
}

/// The arcs of a rank's slice, which lies in the GPU's memory. Columns of 32 bits without weights
/// are used as they are, else arcs are made from a copy. A slice has `offsets`, `columns` and
/// `arcs`, as graph_slice does.
template <class Weight>
class slice_arcs {
 public:
  /// `weights`: of the slice's columns, on the host. The GPU must be current.
  template <class Slice, class HostWeight = no_weight>
  slice_arcs(const device& on, const Slice& slice, const HostWeight* weights = nullptr)
      : rows_{slice.offsets, nullptr, slice.arcs} {
    if constexpr (std::is_same_v<Weight, no_weight> &&
                  sizeof(*slice.columns) == sizeof(std::int32_t)) {
      rows_.arcs = reinterpret_cast<const device_arc<no_weight>*>(slice.columns);
    } else {
      const auto columns = copy_to_host(slice.columns, slice.arcs);
      made_ = upload_arcs<Weight>(on, slice.arcs, columns.data(), weights);
      rows_.arcs = made_.data();
    }
  }
  /// Bytes of the constructor in the GPU's memory.
  static std::int64_t bytes(std::int64_t arcs, int id_width) {
    const bool own = std::is_same_v<Weight, no_weight> && id_width == 4;
    return own ? 0 : in_blocks(arcs * static_cast<std::int64_t>(sizeof(device_arc<Weight>)));
  }
  [[nodiscard]] const rows_there<Weight>& rows() const { return rows_; }

 private:
  rows_there<Weight> rows_;
  buffer<device_arc<Weight>> made_;
};

/// The rows of a rank from CSR arrays that lie anywhere. What lies in this GPU's memory in the form
/// that is needed is used there; the rest is copied.
template <class Weight>
class csr_rows {
 public:
  /// The GPU must be current. `rows.offsets` may begin above 0, where they are part of more.
  template <class Id, class HostWeight>
  csr_rows(const device& on, const weighted_rows<Id, HostWeight>& rows) {
    if (rows.rows == 0) return;
    const auto offsets = here(rows.offsets, rows.rows + 1);
    const edge_offset begin = offsets[0];
    rows_.count = offsets[static_cast<std::size_t>(rows.rows)] - begin;
    for (std::int64_t i = 0; i < rows.rows; ++i)
      longest_ = std::max(longest_, offsets[static_cast<std::size_t>(i) + 1] -
                                        offsets[static_cast<std::size_t>(i)]);
    if (begin == 0 && gpu_of(rows.offsets) == on.ordinal)
      rows_.offsets = rows.offsets;
    else
      upload_offsets(on, offsets.span());
    constexpr bool bare = std::is_same_v<Weight, no_weight>;
    if (bare && sizeof(Id) == sizeof(std::int32_t) && gpu_of(rows.columns) == on.ordinal) {
      rows_.arcs = reinterpret_cast<const device_arc<Weight>*>(rows.columns + begin);
      return;
    }
    const auto columns = here(rows.columns + begin, rows_.count);
    if constexpr (bare) {
      arcs_ = upload_arcs<Weight>(on, rows_.count, columns.data());
    } else {
      require(rows.weights != nullptr || rows_.count == 0, "worklist: arcs without their weights");
      const auto weights = here(rows.weights + begin, rows_.count);
      arcs_ = upload_arcs<Weight>(on, rows_.count, columns.data(), weights.data());
    }
    rows_.arcs = arcs_.data();
  }
  [[nodiscard]] const rows_there<Weight>& rows() const { return rows_; }
  [[nodiscard]] std::int64_t longest() const { return longest_; }

 private:
  template <class T>
  static shared_array<const T> here(const T* from, std::int64_t n) {
    if (n > 0 && on_gpu(from)) {
      const auto copy = copy_to_host(from, n);
      return {copy.data(), copy.size(), copy.owner()};
    }
    return {from, static_cast<std::size_t>(n), nullptr};
  }
  void upload_offsets(const device& on, std::span<const edge_offset> offsets) {
    offsets_ = make_native_buffer<edge_offset>(on, offsets.size());
    write_elements(offsets_.data(), offsets_.size(),
                   [&](std::size_t from, std::span<edge_offset> to) {
                     for (std::size_t k = 0; k < to.size(); ++k)
                       to[k] = offsets[from + k] - offsets[0];
                   });
    rows_.offsets = offsets_.data();
  }

  rows_there<Weight> rows_{};
  std::int64_t longest_ = 0;
  buffer<edge_offset> offsets_;
  buffer<device_arc<Weight>> arcs_;
};

}  // namespace gossamer::dataflow::cuda
