// One NumPy array file (.npy): header parsed strictly, elements left where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/io/image.hpp"

namespace gossamer::io {

/// Which orders of bytes are read.
enum class npy_order { native, either };

struct npy_array {
  char kind = '?';       ///< b, i, u, f, S, U
  int bytes = 0;         ///< per element
  bool swapped = false;  ///< the bytes of an element are in the other order
  std::vector<std::int64_t> shape;
  std::int64_t count = 0;  ///< product of the shape
  const char* data = nullptr;
  std::int64_t at = 0;  ///< position of the first element in the archive (or its member)
  std::shared_ptr<void> owner;
  std::string name;
  /// Element i of an integer array; false when it exceeds 63 bits.
  bool integer(std::int64_t i, std::int64_t& value) const;
};

/// `at`: where the .npy starts in the file, for messages.
npy_array parse_npy(const byte_image& image, std::int64_t at, const std::string& name,
                    const read_context& context, npy_order order = npy_order::native);
/// The header (with padding) that numpy.load reads before `shape` elements of `descr`.
std::string npy_header(const std::string& descr, const std::vector<std::int64_t>& shape);

}  // namespace gossamer::io
