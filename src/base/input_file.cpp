// Opens a file only after stat() has shown a regular one, and reads it by read(), since files of
// /proc do not say how long they are.
#include "gossamer/base/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer {

namespace {
/// A path in a message: it may come from a spec.
std::string said(const std::string& path) {
  return shown(path, 1000);
}
}  // namespace

int open_input(const std::string& path, std::string_view what) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) throw input_error(said(path) + ": is a folder, not a file");
    if (!S_ISREG(info.st_mode))
      throw input_error(said(path) + ": is a pipe or a device; " + std::string(what) +
                        " is read from a file");
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    throw input_error(said(path) + ": cannot be opened: " + std::generic_category().message(errno));
  return fd;
}

std::string read_text(const std::string& path, std::string_view what, std::size_t most) {
  const struct opened {
    int fd;
    ~opened() { ::close(fd); }
  } file{open_input(path, what)};
  // One byte more than there may be; the length of a file of /proc is not known before.
  std::string text;
  ssize_t got = 0;
  do {
    const std::size_t now = std::min<std::size_t>(most + 1 - text.size(), 64 << 10);
    const std::size_t had = text.size();
    text.resize(had + now);
    got = ::read(file.fd, text.data() + had, now);
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  } while ((got > 0 && text.size() <= most) || (got < 0 && errno == EINTR));
  if (got < 0)
    throw input_error(said(path) + ": cannot be read: " + std::generic_category().message(errno));
  if (text.size() > most)
    throw input_error(said(path) + ": is too long: " + std::string(what) + " has at most " +
                      std::to_string(most) + " bytes");
  return text;
}

}  // namespace gossamer
