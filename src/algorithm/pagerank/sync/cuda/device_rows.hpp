// A rank's rows in its GPU's memory: those that the host laid out, uploaded, or those that were
// built there.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/cuda/pull.cuh"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::pagerank_detail::cuda {

template <class Value>
class device_rows {
 public:
  /// `needs`: how much of columns and shares stays on the GPU.
  device_rows(const gpu_rows<Value>& rows, int rank, const device& on, const memory_plan& needs)
      : there_(std::make_shared<const rows_on_gpu<Value>>(
            uploaded(rows, rows.parts[static_cast<std::size_t>(rank)], rank, on, needs))),
        work_(work_of(rows.first, rank)),
        all_arcs_(static_cast<std::int64_t>(rows.columns.size())) {}
  /// Of one rank, which has all rows.
  explicit device_rows(std::shared_ptr<const rows_on_gpu<Value>> built)
      : there_(std::move(built)),
        work_(work_of({0, there_->rows}, 0)),
        all_arcs_(static_cast<std::int64_t>(there_->columns.size())) {}

  /// What is the same in every run, with null for what a run has of its own.
  [[nodiscard]] const pull_work<Value>& work() const { return work_; }
  [[nodiscard]] std::int64_t rows() const { return work_.rows; }
  [[nodiscard]] std::int64_t tiles() const { return work_.tile_end[single]; }
  [[nodiscard]] std::int64_t chunks() const { return work_.tile_end[split]; }
  [[nodiscard]] std::int64_t arcs_of_all() const { return all_arcs_; }
  /// [rows] by vertex, of rows that were built here; else null.
  [[nodiscard]] const vertex32* slots() const { return there_->slot.data(); }

 private:
  static rows_on_gpu<Value> uploaded(const gpu_rows<Value>& rows, const gpu_part& part, int rank,
                                     const device& on, const memory_plan& needs) {
    const std::int64_t first = rows.first[static_cast<std::size_t>(rank)];
    rows_on_gpu<Value> there;
    there.rows = rows.first[static_cast<std::size_t>(rank) + 1] - first;
    there.class_end = part.class_end;
    there.hubs_first = rows.hubs_first;
    there.offsets = upload(on, part.offsets);
    there.bases = upload(on, part.bases);
    there.chunks = upload(on, part.chunks);
    there.chunk_first = upload(on, part.chunk_first);
    there.columns =
        upload_arcs(on, rows.columns, part, needs.pages_on_device(rank, columns_purpose));
    there.shares = upload_arcs(on, rows.shares, part, needs.pages_on_device(rank, shares_purpose));
    there.inverse = upload(on, rows.inverse, first, there.rows);
    there.place = upload(on, rows.place, first, there.rows);
    there.wanted = upload(on, rows.wanted, first, there.rows);
    return there;
  }

  /// `first`: [ranks + 1] slots of all.
  [[nodiscard]] pull_work<Value> work_of(const std::vector<std::int64_t>& first, int rank) const {
    pull_work<Value> w{};
    w.rows = there_->rows;
    w.first = first[static_cast<std::size_t>(rank)];
    w.vertices = first.back();
    std::copy(there_->class_end.begin(), there_->class_end.end(), w.class_end);
    w.tile_end[split] = static_cast<std::int64_t>(there_->chunks.size());
    for (int c = whole; c < row_classes; ++c)
      w.tile_end[c] = w.tile_end[c - 1] +
                      (w.class_end[c] - w.class_end[c - 1] + rows_a_tile[c] - 1) / rows_a_tile[c];
    w.offsets = there_->offsets.data();
    w.bases = there_->bases.data();
    w.columns = there_->columns.data();
    w.arcs = static_cast<std::int64_t>(there_->columns.size());
    w.shares = there_->shares.data();
    w.inverse = there_->inverse.data();
    w.place = there_->place.data();
    w.wanted = there_->wanted.data();
    w.chunks = there_->chunks.data();
    w.chunk_first = there_->chunk_first.data();
    w.ranks = static_cast<int>(first.size()) - 1;
    w.rank = rank;
    w.uniform = 1 / static_cast<double>(w.vertices);
    if (!there_->hubs_first || w.ranks > most_hub_ranks) return w;
    std::int64_t hubs = hub_bytes / static_cast<std::int64_t>(sizeof(Value)) / w.ranks;
    for (int q = 0; q < w.ranks; ++q) {
      w.hubs_first[q] = static_cast<vertex32>(first[static_cast<std::size_t>(q)]);
      hubs = std::min(hubs, first[static_cast<std::size_t>(q) + 1] - w.hubs_first[q]);
    }
    w.hubs_each = static_cast<unsigned>(hubs);
    return w;
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

  /// A part's, on the GPU or with so many pages there: those of the shortest rows, which lanes
  /// read by themselves, where the host's memory is read in whole lines best.
  template <class T>
  static buffer<T> upload_arcs(const device& to, const shared_array<T>& from, const gpu_part& part,
                               std::optional<std::int64_t> pages) {
    if (!pages || from.empty()) return upload(to, from, part.first_arc, part.arcs);
    const auto n = static_cast<std::size_t>(part.arcs);
    const spread_pages where = last_pages(n * sizeof(T), *pages);
    buffer<T> there(to.ordinal, where, n);
    copy_to_spread(there.data(), where, from.data() + part.first_arc, n * sizeof(T));
    return there;
  }

  std::shared_ptr<const rows_on_gpu<Value>> there_;
  pull_work<Value> work_;
  std::int64_t all_arcs_;
};

}  // namespace gossamer::pagerank_detail::cuda
