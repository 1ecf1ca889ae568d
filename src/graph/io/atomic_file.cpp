// Buffered writing, then rename(2), which replaces the target in one step.
#include "graph/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "gossamer/base/error.hpp"

namespace gossamer::io {

constexpr std::size_t buffer_bytes = 1 << 20;

atomic_file::atomic_file(std::string path, std::stop_token stop)
    : path_(std::move(path)), stop_(std::move(stop)) {
  // mkstemp: a fresh name beside the target, so that the rename stays within one file system.
  temporary_ = path_ + ".partial-XXXXXX";
  fd_ = ::mkstemp(temporary_.data());
  if (fd_ < 0) throw usage_error(path_ + ": cannot be written: " + std::strerror(errno));
  // mkstemp gives 0600; the file shall have what the umask allows, like any other output.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd_, 0666 & ~mask);
  buffer_.reserve(buffer_bytes);
}

atomic_file::~atomic_file() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void atomic_file::fail(const char* what, int code) const {
  throw error(path_ + ": " + what + ": " + std::strerror(code));
}

void atomic_file::check() const {
  if (stop_.stop_requested()) throw cancelled_error(path_ + ": stopped");
}

void atomic_file::flush() {
  check();
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot be written", errno);
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void atomic_file::write(const void* data, std::size_t bytes) {
  const auto* p = static_cast<const char*>(data);
  position_ += static_cast<std::int64_t>(bytes);
  while (bytes > 0) {
    const std::size_t now = std::min(bytes, buffer_bytes - buffer_.size());
    buffer_.insert(buffer_.end(), p, p + now);
    p += now;
    bytes -= now;
    if (buffer_.size() == buffer_bytes) flush();
  }
}

void atomic_file::zeros(std::int64_t bytes) {
  const char nothing[64] = {};
  for (; bytes > 0; bytes -= 64)
    write(nothing, static_cast<std::size_t>(std::min<std::int64_t>(bytes, 64)));
}

void atomic_file::patch(std::int64_t at, const void* data, std::size_t bytes) {
  flush();
  if (::pwrite(fd_, data, bytes, at) != static_cast<ssize_t>(bytes))
    fail("cannot be written", errno);
}

void atomic_file::commit() {
  flush();
  const int closed = ::close(fd_);
  fd_ = -1;
  const int code = errno;
  if (closed != 0) {
    ::unlink(temporary_.c_str());
    fail("cannot be written", code);
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int why = errno;
    ::unlink(temporary_.c_str());
    fail("cannot be put in place", why);
  }
}

}  // namespace gossamer::io
