// A rank's rows in its GPU's memory, sliced where that is worth it.
#pragma once

#include <optional>

#include "algorithm/cg/cuda/rows.cuh"
#include "algorithm/cg/cuda/upload.hpp"

namespace gossamer::cg_detail::cuda {

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
