// A rank's rows in its GPU's memory, sliced where that is worth it.
#pragma once

#include <optional>
#include <vector>

#include "algorithm/conjugate_gradient/cuda/rows.cuh"
#include "gossamer/machine/memory.hpp"

namespace gossamer::cg_detail::cuda {

template <class T>
buffer<T> upload(const std::vector<T>& from, const device& to) {
  buffer<T> there(memory_kind::device, to.ordinal, from.size());
  if (!from.empty()) copy_bytes(there.data(), from.data(), from.size() * sizeof(T));
  return there;
}

class device_matrix {
 public:
  device_matrix(const local_matrix& part, const device& on)
      : device_matrix(part, worth_slicing(part.offsets) ? std::optional(slice(part)) : std::nullopt,
                      on) {}

  [[nodiscard]] device_rows rows() const {
    return {rows_, entries_, offsets_.data(), columns_.data(), values_.data(), sliced_};
  }

 private:
  device_matrix(const local_matrix& part, const std::optional<sliced_rows>& s, const device& on)
      : rows_(part.rows),
        entries_(static_cast<std::int64_t>(part.columns.size())),
        sliced_(s.has_value()),
        offsets_(upload(s ? s->first : part.offsets, on)),
        columns_(upload(s ? s->columns : part.columns, on)),
        values_(upload(s ? s->values : part.values, on)) {}

  std::int64_t rows_, entries_;
  bool sliced_;
  buffer<std::int64_t> offsets_;
  buffer<std::int32_t> columns_;
  buffer<double> values_;
};

}  // namespace gossamer::cg_detail::cuda
