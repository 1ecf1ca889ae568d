// Files and memory as byte sources, and the choice of a decompressor.
#include "graph/io/byte_source.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/input_file.hpp"

namespace gossamer::io {
namespace {

class from_memory final : public byte_source {
 public:
  explicit from_memory(std::span<const char> bytes) : bytes_(bytes) {}
  std::size_t read(char* out, std::size_t n) override {
    n = std::min(n, bytes_.size() - at_);
    if (n > 0) std::memcpy(out, bytes_.data() + at_, n);
    at_ += n;
    return n;
  }
  std::int64_t raw_position() const override { return static_cast<std::int64_t>(at_); }
  std::int64_t raw_size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  std::size_t read_at(std::int64_t offset, std::span<char> out) const override {
    const auto from = std::min(static_cast<std::size_t>(offset), bytes_.size());
    const auto there = bytes_.subspan(from, std::min(out.size(), bytes_.size() - from));
    std::copy(there.begin(), there.end(), out.begin());
    return there.size();
  }

 private:
  std::span<const char> bytes_;
  std::size_t at_ = 0;
};

class from_file final : public byte_source {
 public:
  // A file is opened again after its format was recognised: a pipe would have lost its beginning.
  explicit from_file(const std::string& path, std::string_view what)
      : path_(path), fd_(open_input(path, what)) {
    struct stat info {};
    if (::fstat(fd_, &info) == 0) size_ = info.st_size;
  }
  ~from_file() override { ::close(fd_); }
  std::size_t read(char* out, std::size_t n) override {
    std::size_t done = 0;
    while (done < n) {
      const ssize_t got = ::read(fd_, out + done, n - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        fail_at_byte(path_, at_, "cannot be read: " + std::generic_category().message(errno));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
      at_ += got;
    }
    return done;
  }
  std::int64_t raw_position() const override { return at_; }
  std::int64_t raw_size() const override { return size_; }
  std::size_t read_at(std::int64_t offset, std::span<char> out) const override {
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = ::pread(fd_, out.data() + done, out.size() - done,
                                  offset + static_cast<std::int64_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;  // a pipe, or the end: read() says what is wrong
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  std::string path_;
  int fd_ = -1;
  std::int64_t at_ = 0, size_ = 0;
};

// Gives back the bytes that were read to recognise the compression.
class with_head final : public byte_source {
 public:
  with_head(std::string head, std::unique_ptr<byte_source> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}
  std::size_t read(char* out, std::size_t n) override {
    const std::size_t here = std::min(n, head_.size() - at_);
    if (here > 0) std::memcpy(out, head_.data() + at_, here);
    at_ += here;
    return here == n ? n : here + rest_->read(out + here, n - here);
  }
  std::int64_t raw_position() const override {
    return rest_->raw_position() - static_cast<std::int64_t>(head_.size() - at_);
  }
  std::int64_t raw_size() const override { return rest_->raw_size(); }
  std::size_t read_at(std::int64_t offset, std::span<char> out) const override {
    return rest_->read_at(offset, out);
  }

 private:
  std::string head_;
  std::size_t at_ = 0;
  std::unique_ptr<byte_source> rest_;
};

}  // namespace

std::size_t byte_source::read_at(std::int64_t, std::span<char>) const {
  return 0;
}

compression detect_compression(std::span<const char> head) {
  auto starts = [&](std::string_view magic) {
    return std::string_view(head.data(), head.size()).substr(0, magic.size()) == magic;
  };
  if (starts("\x1f\x8b")) return compression::gzip;
  if (starts(std::string_view("\xfd"
                              "7zXZ\0",
                              6)))
    return compression::xz;
  if (starts("\x28\xb5\x2f\xfd")) return compression::zstd;
  // Or a frame that is skipped, with which files of several threads begin (RFC 8878, 3.1.2).
  if (!head.empty() && (head[0] & 0xf0) == 0x50 &&
      std::string_view(head.data() + 1, head.size() - 1).starts_with("\x2a\x4d\x18"))
    return compression::zstd;
  return compression::none;
}

std::string without_compression_suffix(const std::string& path) {
  for (std::string_view suffix : {".gz", ".xz", ".zst"})
    if (path.size() > suffix.size() && path.ends_with(suffix))
      return path.substr(0, path.size() - suffix.size());
  return path;
}

std::unique_ptr<byte_source> memory_source(std::span<const char> bytes) {
  return std::make_unique<from_memory>(bytes);
}

std::unique_ptr<byte_source> file_source(const std::string& path, std::string_view what) {
  return std::make_unique<from_file>(path, what);
}

std::unique_ptr<byte_source> decompressing(std::unique_ptr<byte_source> inner,
                                           const std::string& name, std::int64_t room) {
  std::string head(6, '\0');
  head.resize(inner->read(head.data(), head.size()));
  const compression kind = detect_compression(head);
  auto whole = std::make_unique<with_head>(std::move(head), std::move(inner));
  switch (kind) {
    case compression::gzip:
      return gzip_source(std::move(whole), name);
    case compression::xz:
      return xz_source(std::move(whole), name, room);
    case compression::zstd:
      return zstd_source(std::move(whole), name, room);
    case compression::none:
      break;
  }
  return whole;
}

void fail_without_room(const std::string& name, std::int64_t room) {
  throw capacity_error(name + ": decompressing it takes more memory than the limit of " +
                       configuration::format_bytes(room));
}

void fail_at_byte(const std::string& name, std::int64_t byte, const std::string& message) {
  throw input_error(name + ": byte " + std::to_string(byte) + ": " + message);
}

void fail_at_line(const std::string& name, std::int64_t line, const std::string& message) {
  throw input_error(name + ":" + std::to_string(line) + ": " + message);
}

}  // namespace gossamer::io
