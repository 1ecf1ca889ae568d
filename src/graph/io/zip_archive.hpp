// The members of a zip archive (.npz is one): stored or deflated, zip64 included, CRC checked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/io/image.hpp"

namespace gossamer::io {

struct zip_member {
  std::string name;
  std::int64_t offset = 0;  ///< of the local header
  std::int64_t packed = 0, size = 0;
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
};

/// Contents of a member, unpacked as they are read.
struct zip_contents {
  /// Yields `size` bytes, or throws: the checksum is looked at before the first of a stored member,
  /// and with the last of a deflated one.
  std::unique_ptr<byte_source> source;
  std::int64_t at = 0;    ///< position in the archive, for messages
  std::int64_t size = 0;  ///< bytes that `source` yields
};

std::vector<zip_member> list_zip(const byte_image& image, const read_context& context);
/// `image` must outlive what is returned.
zip_contents open_member(const byte_image& image, const zip_member& member,
                         const read_context& context);

/// CRC-32 as zip uses it (polynomial 0xEDB88320), continued from `crc`.
std::uint32_t zip_crc(std::uint32_t crc, std::span<const char> bytes);

}  // namespace gossamer::io
