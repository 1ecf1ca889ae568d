// A rank's rows in its GPU's memory.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithm/pagerank/cuda/pull.cuh"
#include "gossamer/machine/memory.hpp"

namespace gossamer::pagerank_detail::cuda {

template <class Value>
class device_rows {
 public:
  device_rows(const gpu_rows<Value>& rows, int rank, const device& on)
      : device_rows(rows, rows.parts[static_cast<std::size_t>(rank)], rank, on) {}

  /// What is the same in every run, with null for what a run has of its own.
  [[nodiscard]] const pull_work<Value>& work() const { return work_; }
  [[nodiscard]] std::int64_t rows() const { return work_.rows; }
  [[nodiscard]] std::int64_t tiles() const { return work_.tile_end[single]; }
  [[nodiscard]] std::int64_t chunks() const { return work_.tile_end[split]; }

 private:
  device_rows(const gpu_rows<Value>& rows, const gpu_part& part, int rank, const device& on)
      : first_(rows.first[static_cast<std::size_t>(rank)]),
        rows_(rows.first[static_cast<std::size_t>(rank) + 1] - first_),
        offsets_(upload(on, part.offsets)),
        bases_(upload(on, part.bases)),
        columns_(upload(on, rows.columns, part.first_arc, part.arcs)),
        shares_(upload(on, rows.shares, part.first_arc, part.arcs)),
        inverse_(upload(on, rows.inverse, first_, rows_)),
        place_(upload(on, rows.place, first_, rows_)),
        wanted_(upload(on, rows.wanted, first_, rows_)),
        chunks_(upload(on, part.chunks)),
        chunk_first_(upload(on, part.chunk_first)) {
    auto& w = work_;
    w.rows = rows_;
    w.first = first_;
    w.vertices = rows.first.back();
    std::copy(part.class_end.begin(), part.class_end.end(), w.class_end);
    w.tile_end[split] = static_cast<std::int64_t>(part.chunks.size());
    for (int c = whole; c < row_classes; ++c)
      w.tile_end[c] = w.tile_end[c - 1] +
                      (w.class_end[c] - w.class_end[c - 1] + rows_a_tile[c] - 1) / rows_a_tile[c];
    w.offsets = offsets_.data();
    w.bases = bases_.data();
    w.columns = columns_.data();
    w.arcs = static_cast<std::int64_t>(columns_.size());
    w.shares = shares_.data();
    w.inverse = inverse_.data();
    w.place = place_.data();
    w.wanted = wanted_.data();
    w.chunks = chunks_.data();
    w.chunk_first = chunk_first_.data();
    w.ranks = static_cast<int>(rows.parts.size());
    w.rank = rank;
    w.uniform = 1 / static_cast<double>(w.vertices);
    if (!rows.hubs_first || w.ranks > most_hub_ranks) return;
    std::int64_t hubs = hub_bytes / static_cast<std::int64_t>(sizeof(Value)) / w.ranks;
    for (int q = 0; q < w.ranks; ++q) {
      w.hubs_first[q] = static_cast<vertex32>(rows.first[static_cast<std::size_t>(q)]);
      hubs = std::min(hubs, rows.first[static_cast<std::size_t>(q) + 1] - w.hubs_first[q]);
    }
    w.hubs_each = static_cast<unsigned>(hubs);
  }

  template <class T>
  static buffer<T> upload(const device& to, const T* from, std::size_t n) {
    buffer<T> there(memory_kind::device, to.ordinal, n);
    if (n != 0) copy_bytes(there.data(), from, n * sizeof(T));
    return there;
  }
  template <class T>
  static buffer<T> upload(const device& to, const std::vector<T>& from) {
    return upload(to, from.data(), from.size());
  }
  /// Elements [first, first + n) of an array that may be empty as a whole.
  template <class T>
  static buffer<T> upload(const device& to, const shared_array<T>& from, std::int64_t first,
                          std::int64_t n) {
    if (from.empty()) return {};
    return upload(to, from.data() + first, static_cast<std::size_t>(n));
  }

  std::int64_t first_, rows_;
  buffer<std::uint32_t> offsets_;
  buffer<std::int64_t> bases_;
  buffer<vertex32> columns_;
  buffer<Value> shares_, inverse_;
  buffer<vertex32> place_;
  buffer<std::uint32_t> wanted_;
  buffer<chunk> chunks_;
  buffer<std::int64_t> chunk_first_;
  pull_work<Value> work_{};
};

}  // namespace gossamer::pagerank_detail::cuda
