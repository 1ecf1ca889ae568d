// What an output may be, and how it is written: the one place that decides for all writers.
//
// A file appears whole or not at all. It is written without a name where the file system can do
// that, so that nothing is left behind however the process ends. Elsewhere, and for the instant in
// which an existing file is replaced, it is .gossamer-PID-N.partial beside it. It is on the disk
// before it gets its name. A link is followed, and what it names is written. An existing file's
// owner and permissions are kept as far as they may be. Pipes, terminals and devices that take a
// stream are written to as they are, and never replaced.
//
// Errors are one line, "PATH: reason". usage_error: the path cannot be an output (no such folder,
// no permission). error: the system failed ("cannot be written: No space left on device").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

/// Refuses, as output_file does, what cannot be written, and leaves nothing behind. Returns true
/// for what is written to as it is. Whether a pipe has a reader is not looked at.
bool check_output(const std::string& path, std::string_view files_only = {});

/// The same text for two paths exactly when they name one file: by device and number where it
/// exists, hard links among them, else by its folder and name. Empty for what is no file.
std::string file_identity(const std::string& path);

class output_file {
 public:
  /// `stop`: writing throws cancelled_error within a MiB of a request, and before commit(). A pipe
  /// is opened once it has a reader. `files_only`: what is written, in words ("graphs"), for a
  /// writer that goes back to what it wrote, so that it needs a file; empty when a stream will do.
  explicit output_file(std::string path, std::stop_token stop = {},
                       std::string_view files_only = {});
  /// Leaves nothing behind unless commit() succeeded.
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// True when it is written to as it is, and has no patch().
  [[nodiscard]] bool stream() const { return draft_ == nullptr; }
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
  /// True when so many more bytes stay in memory for now.
  [[nodiscard]] bool has_room(std::size_t bytes) const;
  /// Overwrites bytes written before.
  void patch(std::int64_t at, const void* data, std::size_t bytes);
  void commit();
  /// Brings to the disk what was written, and looks for a stop. What commit() has left to do is to
  /// give it its name.
  void finish();
  /// The file that commit() will replace goes now.
  void remove_replaced();
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  /// cancelled_error when a stop was requested.
  void check() const;

 private:
  struct draft;
  [[noreturn]] void fail(int code) const;
  void flush();
  std::string path_;  ///< as asked for
  std::stop_token stop_;
  std::unique_ptr<draft> draft_;  ///< null for a stream
  int fd_ = -1;
  bool finished_ = false;
  std::int64_t position_ = 0;
  std::vector<char> buffer_;
};

}  // namespace gossamer
