// Where bytes come from: a file, memory, or a decompressor over another source.
//
// Readers see only this, so that tests and fuzzers feed them from memory. Text readers stream from
// it; binary readers take the whole as a byte_image (image.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gossamer::io {

class byte_source {
 public:
  byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  virtual ~byte_source() = default;
  /// Fills `out` as far as there is data; fewer bytes than asked for only at the end.
  virtual std::size_t read(char* out, std::size_t n) = 0;
  /// Bytes of the underlying file that what was read is made of, as far as a decompressor says, and
  /// its size (0 = not known).
  [[nodiscard]] virtual std::int64_t raw_position() const = 0;
  [[nodiscard]] virtual std::int64_t raw_size() const = 0;
  /// Fills `out` with the underlying file's bytes from `offset` on, wherever read() is; fewer at
  /// its end, and none where files can only be read through.
  virtual std::size_t read_at(std::int64_t offset, std::span<char> out) const;
  /// True when read() yields more bytes than the file holds.
  [[nodiscard]] virtual bool compressed() const { return false; }
  /// Bytes that read() yields in all by the file's own words, which may be wrong; 0 = it says none.
  [[nodiscard]] virtual std::int64_t said_bytes() const { return 0; }
  /// Bytes that decompressing takes beside buffers, known once something was read.
  [[nodiscard]] virtual std::int64_t window_bytes() const { return 0; }
};

/// Compression by its magic number.
enum class compression { none, gzip, xz, zstd };
compression detect_compression(std::span<const char> head);
/// "FILE" without .gz, .xz or .zst.
std::string without_compression_suffix(const std::string& path);

std::unique_ptr<byte_source> memory_source(std::span<const char> bytes);
/// Opens a file; input_error when it cannot be opened or is a folder.
std::unique_ptr<byte_source> file_source(const std::string& path,
                                         std::string_view what = "a graph");
/// `inner` as it is, or inside the decompressor its first bytes call for. `name` for messages.
/// Windows of more than `room` bytes are refused before they are taken: capacity_error.
std::unique_ptr<byte_source> decompressing(std::unique_ptr<byte_source> inner,
                                           const std::string& name, std::int64_t room);

std::unique_ptr<byte_source> gzip_source(std::unique_ptr<byte_source> inner, std::string name);
std::unique_ptr<byte_source> xz_source(std::unique_ptr<byte_source> inner, std::string name,
                                       std::int64_t room);
std::unique_ptr<byte_source> zstd_source(std::unique_ptr<byte_source> inner, std::string name,
                                         std::int64_t room);

/// capacity_error: decompressing takes more than `room`.
[[noreturn]] void fail_without_room(const std::string& name, std::int64_t room);
/// input_error "NAME: byte N: MESSAGE".
[[noreturn]] void fail_at_byte(const std::string& name, std::int64_t byte,
                               const std::string& message);
/// input_error "NAME:LINE: MESSAGE".
[[noreturn]] void fail_at_line(const std::string& name, std::int64_t line,
                               const std::string& message);

}  // namespace gossamer::io
