// One NumPy array file (.npy): header parsed strictly, elements taken in blocks, as they come from
// an archive that may be compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/io/zip_archive.hpp"

namespace gossamer::io {

/// Which orders of bytes are read.
enum class npy_order { native, either };

struct npy_array {
  char kind = '?';       ///< b, i, u, f, S, U
  int bytes = 0;         ///< per element
  bool swapped = false;  ///< the bytes of an element are in the other order
  std::vector<std::int64_t> shape;
  std::int64_t count = 0;  ///< product of the shape
  std::int64_t at = 0;     ///< position of the first element in the archive (or its member)
  std::string name;

  /// The next `n` elements, fewer at the end; they live until the next call.
  const char* take(std::int64_t n);
  /// Element i of `from`, which take() returned, of an array of integers; false when it exceeds 63
  /// bits.
  bool integer(const char* from, std::int64_t i, std::int64_t& value) const;

  std::unique_ptr<byte_source> source;  ///< yields the elements
  std::vector<char> taken;
};

/// How many elements are worth a call of take().
inline constexpr std::int64_t npy_block = 1 << 14;

npy_array open_npy(zip_contents member, const std::string& name, const read_context& context,
                   npy_order order = npy_order::native);
/// The header (with padding) that numpy.load reads before `shape` elements of `descr`.
std::string npy_header(const std::string& descr, const std::vector<std::int64_t>& shape);

}  // namespace gossamer::io
