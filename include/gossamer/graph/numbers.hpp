// Files of one number a vertex or row: right-hand sides, ranks, labels, distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "gossamer/base/shared_array.hpp"

namespace gossamer {

/// Numbers in a row, of the type that the file has them in.
struct number_array {
  std::string type;          ///< NumPy's name of it: "<f8", "|u1", ">i4" (kinds b, i, u and f)
  std::int64_t count = 0;    ///< of numbers
  shared_array<char> bytes;  ///< aligned for the type; a mapped file's own where they lie so
};

/// Reads an .npy file, the array `name` of an .npz file, a Matrix Market vector (array, or
/// coordinate with zeros for what is not listed), or text with blanks or line ends between numbers;
/// decided by the content, compressed or not. A matrix of one row or column is a vector.
///
/// Text and Matrix Market give "<f8"; their integers are at most 2^53 in size. "inf" and "nan" are
/// taken: what they mean is the caller's to say. Nothing tells when text is cut short.
///
/// Errors: those of read_graph (io.hpp); input_error, too, for a name that the archive lacks, for
/// other matrices, and for elements that are no real numbers.
number_array read_numbers(const std::string& path, const std::string& name,
                          const std::stop_token& stop = {});

/// The same from bytes in memory, which must outlive the numbers; `path` stands for the file in
/// messages. memory_limit: bytes; 0 = host_memory_limit().
number_array read_numbers(std::span<const std::byte> bytes, const std::string& path,
                          const std::string& name, std::int64_t memory_limit = 0);

}  // namespace gossamer
