// What a worklist keeps in a GPU's memory between runs: values with their lists and marks.
#pragma once

#include <algorithm>

#include "gossamer/dataflow/worklist/cuda/sizes.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::dataflow::cuda {

/// One block of the GPU's memory with the values of all vertices; queues, piles and marks of the
/// own ones; and lists for other ranks.
template <class Value>
class list_buffers {
 public:
  /// `at`: a block of list_places::bytes, else it is taken now. The GPU must be current. Tells
  /// `view` where everything is.
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

}  // namespace gossamer::dataflow::cuda
