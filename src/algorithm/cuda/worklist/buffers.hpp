// What a worklist keeps in a GPU's memory between runs: arcs that are no slice's own, and values
// with their lists and marks.
#pragma once

#include <span>
#include <type_traits>

#include "algorithm/cuda/worklist/sizes.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/pieces.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail::cuda {

/// Arcs with weights beside them in a GPU's memory, from columns and weights of the host.
template <class Weight, class Id, class HostWeight = no_weight>
buffer<device_arc<Weight>> upload_arcs(const device& on, std::int64_t count, const Id* columns,
                                       const HostWeight* weights = nullptr) {
  using arc = device_arc<Weight>;
  auto arcs = make_native_buffer<arc>(on, static_cast<std::size_t>(count));
  write_elements(arcs.data(), arcs.size(), [&](std::size_t from, std::span<arc> packed) {
    for (std::size_t k = 0; k < packed.size(); ++k) {
      packed[k].to = static_cast<std::int32_t>(columns[from + k]);
      if constexpr (!std::is_same_v<Weight, no_weight>)
        packed[k].weight = static_cast<Weight>(weights[from + k]);
    }
  });
  return arcs;
}

/// A copy on the host of what lies in a GPU's memory.
template <class T>
shared_array<T> copy_to_host(const T* there, std::int64_t n) {
  shared_array<T> here(static_cast<std::size_t>(n));
  copy_bytes(here.data(), there, here.size() * sizeof(T));
  return here;
}

/// The arcs of a rank's slice: its own columns where they are of 32 bits and have no weights, else
/// made from a copy.
template <class Weight>
class slice_arcs {
 public:
  /// `weights`: of the slice's columns, on the host. The GPU must be current.
  template <class Id, class HostWeight = no_weight>
  slice_arcs(const device& on, const graph_slice<Id>& slice, const HostWeight* weights = nullptr)
      : rows_{slice.offsets, nullptr, slice.arcs} {
    if constexpr (std::is_same_v<Weight, no_weight> && sizeof(Id) == sizeof(std::int32_t)) {
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

/// Values of all vertices; queues, piles and marks of the own ones; lists for other ranks: a block
/// of the GPU's memory.
template <class Value>
class list_buffers {
 public:
  /// `at`: a block of list_places::bytes, else it is taken now. The GPU must be current. Tells
  /// `view` where all that is.
  template <class View>
  list_buffers(const device& on, const list_sizes& sizes, View& view, std::byte* at = nullptr)
      : device_(on), places_(sizes), at_(at) {
    if (at_ == nullptr) {
      own_ = make_native_buffer<std::byte>(on, static_cast<std::size_t>(places_.bytes));
      at_ = own_.data();
    }
    tell(sizes, view);
  }

  /// Before a run: forgets the last one.
  void clear() {
    for (const auto& [from, n] : {std::pair{places_.sums, sizeof(list_sums)},
                                  std::pair{places_.totals, sizeof(list_totals)}})
      fill_bytes(native_memory(device_), device_.ordinal, at_ + from, 0, n);
    set_state({});
  }
  void set_state(const list_state& s) { copy_bytes(at_ + places_.state, &s, sizeof s); }
  [[nodiscard]] list_state state() const { return fetched<list_state>(places_.state); }
  [[nodiscard]] list_totals totals() const { return fetched<list_totals>(places_.totals); }

 private:
  template <class T>
  [[nodiscard]] T* there(std::int64_t place) const {
    return reinterpret_cast<T*>(at_ + place);
  }
  template <class T>
  [[nodiscard]] T fetched(std::int64_t place) const {
    T t{};
    copy_bytes(&t, at_ + place, sizeof t);
    return t;
  }

  template <class View>
  void tell(const list_sizes& sizes, View& view) {
    const std::int64_t rows = sizes.rows(), own_words = mark_words(rows);
    view.rank = sizes.self;
    view.ranks = sizes.ranks();
    view.rows = rows;
    view.vertices = sizes.vertices();
    if (!sizes.values_apart) view.values = there<Value>(places_.values);
    const auto marks = there<std::uint32_t>(places_.marks);
    for (int i = 0; i < 2; ++i) {
      view.near_mark[i] = marks + i * own_words;
      view.queue[i] =
          reinterpret_cast<std::int32_t*>(there<std::int64_t>(places_.queues) + i * rows);
      view.pile[i] = there<std::int32_t>(places_.piles) + i * rows;
    }
    view.far_mark = marks + 2 * own_words;
    view.worked_mark = marks + 3 * own_words;
    view.out_mark = marks + 4 * own_words;
    view.sums = there<list_sums>(places_.sums);
    view.state = there<list_state>(places_.state);
    view.totals = there<list_totals>(places_.totals);
    for (int r = 0; r <= sizes.ranks(); ++r)
      view.starts[r] = sizes.first[static_cast<std::size_t>(r)];
    std::int64_t out = 0;
    for (int r = 0; r < sizes.ranks(); ++r) {
      view.out[r] = there<std::int32_t>(places_.out) + out;
      view.out_mask[r] =
          static_cast<std::uint64_t>(std::max<std::int64_t>(1, sizes.out_slots(r)) - 1);
      out += sizes.out_slots(r);
    }
  }

  const device device_;
  const list_places places_;
  buffer<std::byte> own_;
  std::byte* at_;
};

}  // namespace gossamer::algorithm_detail::cuda
