// A file that appears whole or not at all: written beside its target, renamed by commit().
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::io {

class atomic_file {
 public:
  /// `stop`: writing throws cancelled_error within a MiB of a request, and before commit().
  explicit atomic_file(std::string path, std::stop_token stop = {});
  /// Removes the temporary file unless commit() succeeded.
  ~atomic_file();
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  template <class T>
  void value(T v) {
    write(&v, sizeof(T));
  }
  template <class T>
  void array(std::span<const T> values) {
    write(values.data(), values.size_bytes());
  }
  void zeros(std::int64_t bytes);
  /// Bytes written so far.
  [[nodiscard]] std::int64_t position() const { return position_; }
  /// Overwrites bytes written before.
  void patch(std::int64_t at, const void* data, std::size_t bytes);
  void commit();
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  /// cancelled_error when a stop was requested.
  void check() const;

 private:
  void flush();
  [[noreturn]] void fail(const char* what, int code) const;
  std::string path_, temporary_;
  std::stop_token stop_;
  int fd_ = -1;
  std::int64_t position_ = 0;
  std::vector<char> buffer_;
};

}  // namespace gossamer::io
