// A whole binary file in memory (mapped when it is plain, held when it was compressed), and the
// reader that takes fields from it with byte positions in its complaints.
//
// Because the size is known before anything is read, no count from a header is ever believed: each
// array is checked against the bytes that are there before memory is taken for it.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "graph/io/byte_source.hpp"
#include "graph/io/read_context.hpp"

namespace gossamer::io {

struct byte_image {
  std::span<const char> bytes;
  std::shared_ptr<void> owner;  ///< null when the caller keeps the bytes
  bool held = false;            ///< the bytes are in anonymous memory (they count in plans)
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(bytes.size()); }
};

/// Maps a plain file read-only; decompresses a compressed one up to the memory limit.
byte_image load_image(const std::string& path, const read_context& context);
/// The image of bytes in memory, decompressed when they are compressed.
byte_image load_image(std::span<const char> bytes, const read_context& context);

/// Maps a file that is not empty; none of an empty one. The mapping keeps it open
/// (mapped_file.hpp).
byte_image map_file(const std::string& path);
/// input_error when `owner` is that of a mapped file which was changed since.
void check_mapped(const std::shared_ptr<void>& owner);

class binary_reader {
 public:
  binary_reader(const byte_image& image, const read_context& context)
      : bytes_(image.bytes), path_(context.path) {}

  [[nodiscard]] std::int64_t position() const { return at_; }
  [[nodiscard]] std::int64_t left() const { return static_cast<std::int64_t>(bytes_.size()) - at_; }
  void seek(std::int64_t at) { at_ = at; }

  template <class T>
  T take(const char* what) {
    T value{};
    std::memcpy(&value, need(sizeof(T), 1, what), sizeof(T));
    at_ += static_cast<std::int64_t>(sizeof(T));
    return value;
  }
  /// A count that must lie in 0..most.
  std::int64_t take_count(const char* what, std::int64_t most = INT64_MAX) {
    const std::int64_t at = at_;
    const auto v = take<std::int64_t>(what);
    if (v < 0 || v > most)
      fail_at(at, std::string(what) + " " + std::to_string(v) + " is out of range");
    return v;
  }
  /// `count` elements of T as they lie in the file (not necessarily aligned).
  template <class T>
  const char* take_array(std::int64_t count, const char* what) {
    const char* p = need(sizeof(T), count, what);
    at_ += count * static_cast<std::int64_t>(sizeof(T));
    return p;
  }
  void expect_end(const char* what) const {
    if (left() > 0) fail_at(at_, std::to_string(left()) + " bytes after the end of the " + what);
  }
  [[noreturn]] void fail_at(std::int64_t byte, const std::string& message) const {
    fail_at_byte(path_, byte, message);
  }

 private:
  const char* need(std::size_t element, std::int64_t count, const char* what) const {
    if (count < 0 || sat_mul(count, static_cast<std::int64_t>(element)) > left())
      fail_at(static_cast<std::int64_t>(bytes_.size()),
              std::string("the file ends inside the ") + what + " (" + std::to_string(count) +
                  " x " + std::to_string(element) + " bytes from byte " + std::to_string(at_) +
                  ")");
    return bytes_.data() + at_;
  }
  std::span<const char> bytes_;
  const std::string& path_;
  std::int64_t at_ = 0;
};

/// Loads the i-th T of an unaligned array.
template <class T>
T load(const char* array, std::int64_t i) {
  T value;
  std::memcpy(&value, array + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

}  // namespace gossamer::io
