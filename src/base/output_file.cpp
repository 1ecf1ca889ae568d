// Files without a name, linked into place; streams in pieces that do not block.
#include "gossamer/base/output_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
/// Between two looks at the stop token, in ms.
constexpr int pause = 50;
/// As the kernel counts them.
constexpr int most_links = 40;

/// Where a path leads once links are followed.
struct target {
  std::string file, folder, name;
  bool exists = false;
  bool stream = false;
  int descriptor = -1;  ///< of this process, when the path names one (/dev/stdout)
  int failure = 0;      ///< why there cannot be an output, as errno
  struct stat status {};
};

bool on_proc(const std::string& folder) {
  struct statfs where {};
  return ::statfs(folder.c_str(), &where) == 0 && where.f_type == PROC_SUPER_MAGIC;
}

std::string absolute(const std::string& folder) {
  char text[PATH_MAX];
  return ::realpath(folder.c_str(), text) == nullptr ? std::string() : text;
}

/// The descriptor that `name` stands for in this process's folder of them, or -1.
int own_descriptor(const target& t) {
  int number = -1;
  const char* end = t.name.data() + t.name.size();
  const auto read = std::from_chars(t.name.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number < 0) return -1;
  return absolute(t.folder) == absolute("/proc/self/fd") ? number : -1;
}

bool may_write(const target& t) {
  if (t.descriptor < 0) return ::faccessat(AT_FDCWD, t.file.c_str(), W_OK, AT_EACCESS) == 0;
  const int flags = ::fcntl(t.descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void classify(target& t) {
  const mode_t kind = t.status.st_mode & S_IFMT;
  if (kind == S_IFDIR) {
    t.failure = EISDIR;
    return;
  }
  t.exists = kind == S_IFREG && t.descriptor < 0;
  t.stream = t.descriptor >= 0 || kind == S_IFCHR || kind == S_IFIFO;
  if (!t.exists && !t.stream)
    t.failure = ENOTSUP;  // a socket, a disk
  else if (!may_write(t))
    t.failure = EACCES;
}

target find(const std::string& path) {
  target t;
  t.file = path;
  for (int links = 0;; ++links) {
    const auto slash = t.file.rfind('/');
    t.folder = slash == std::string::npos ? "." : t.file.substr(0, std::max<std::size_t>(slash, 1));
    t.name = t.file.substr(slash == std::string::npos ? 0 : slash + 1);
    if (::lstat(t.file.c_str(), &t.status) != 0) {
      if (errno != ENOENT || t.name.empty() || ::access(t.folder.c_str(), F_OK) != 0)
        t.failure = errno;
      return t;
    }
    if (!S_ISLNK(t.status.st_mode)) break;
    char next[PATH_MAX];
    const ssize_t length = ::readlink(t.file.c_str(), next, sizeof(next));
    if (length < 0 || links == most_links) {
      t.failure = length < 0 ? errno : ELOOP;
      return t;
    }
    // What stands in for an open file there has no path to follow.
    if (on_proc(t.folder) && ::stat(t.file.c_str(), &t.status) == 0) {
      t.descriptor = own_descriptor(t);
      if (t.descriptor >= 0 || !S_ISREG(t.status.st_mode)) break;
    }
    const std::string to(next, static_cast<std::size_t>(length));
    t.file = to.starts_with('/') ? to : t.folder + "/" + to;
  }
  classify(t);
  return t;
}

[[noreturn]] void refuse(const std::string& path, const std::string& folder, int code) {
  struct stat info {};
  const bool nowhere = ::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode);
  std::string why = "cannot be written: " + std::generic_category().message(code);
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      if (nowhere) why = "there is no folder " + folder;
      break;
    case EISDIR:
      why = "is a folder";
      break;
    case EACCES:
    case EPERM:
      why = "no permission to write there";
      break;
    case ENOTSUP:
      why = "is neither a file nor a stream";
      break;
    case ELOOP:
    case ENAMETOOLONG:
    case EROFS:
      break;
    default:  // the path may be right: the system has no room, or failed
      throw error(path + ": " + why);
  }
  throw usage_error(path + ": " + why);
}

target allowed(const std::string& path, std::string_view files_only) {
  target t = find(path);
  if (t.failure != 0) refuse(path, t.folder, t.failure);
  if (t.stream && !files_only.empty())
    throw usage_error(path + ": " + std::string(files_only) +
                      " are written to files, which are replaced");
  return t;
}

/// A new name in the folder, short enough wherever the file's own is not.
std::string draft_name(const target& t) {
  static std::atomic<unsigned> count{0};
  return t.folder + "/.gossamer-" + std::to_string(::getpid()) + "-" + std::to_string(count++) +
         ".partial";
}

/// Opens an empty file that can be put in place of `t`; `name` stays empty while it has none.
int open_draft(const target& t, std::string& name) {
  // The kernel applies the umask. Until it is in place, what replaces a file is its writer's alone.
  const mode_t mode = t.exists ? 0600 : 0666;
  int fd = -1;
  if (::access("/proc/self/fd", X_OK) == 0)  // it gets its name from there
    fd = ::open(t.folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  while (fd < 0) {
    name = draft_name(t);
    fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

/// Gives a file the owner and permissions of the one that it replaces. What may not be given to a
/// group or a list of users is not given to others instead.
void keep_access(int fd, const target& t) {
  mode_t mode = t.status.st_mode & 0777;
  const mode_t for_others = mode & (0707 | (mode & 07) << 3);
  if (::fchown(fd, t.status.st_uid, t.status.st_gid) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), t.status.st_gid) != 0)
    mode = for_others;
  char list[4096];
  const char* const access = "system.posix_acl_access";
  const ssize_t bytes = ::getxattr(t.file.c_str(), access, list, sizeof(list));
  if (bytes > 0 && ::fsetxattr(fd, access, list, static_cast<std::size_t>(bytes), 0) == 0) return;
  if (bytes > 0) mode = for_others;
  // A file system without permissions refuses, and has none to lose.
  static_cast<void>(::fchmod(fd, mode));
}

/// Moves what has a name, or gives it one, in place of `t`; errno of a failure, or 0.
int put_in_place(int fd, const target& t, std::string& name) {
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  const auto link_as = [&self](const std::string& as) {
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, as.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (name.empty()) {
    if (link_as(t.file)) return 0;
    for (std::string next; name.empty();) {
      if (errno != EEXIST) return errno;
      next = draft_name(t);
      if (link_as(next)) name = std::move(next);
    }
  }
  if (std::rename(name.c_str(), t.file.c_str()) != 0) return errno;
  name.clear();
  return 0;
}

}  // namespace

struct output_file::draft {
  target where;
  std::string name;
};

bool check_output(const std::string& path, std::string_view files_only) {
  const target t = allowed(path, files_only);
  if (t.stream) return true;
  std::string name;
  const int fd = open_draft(t, name);
  if (fd < 0) refuse(path, t.folder, errno);
  ::close(fd);
  if (!name.empty()) ::unlink(name.c_str());
  return false;
}

std::string file_identity(const std::string& path) {
  const target t = find(path);
  struct stat folder {};
  const auto numbers = [](const struct stat& s) {
    return std::to_string(s.st_dev) + ":" + std::to_string(s.st_ino);
  };
  if (t.exists) return numbers(t.status);
  if (t.stream || t.failure != 0 || ::stat(t.folder.c_str(), &folder) != 0) return {};
  return numbers(folder) + "/" + t.name;
}

output_file::output_file(std::string path, std::stop_token stop, std::string_view files_only)
    : path_(std::move(path)), stop_(std::move(stop)) {
  target t = allowed(path_, files_only);
  buffer_.reserve(buffer_bytes);  // nothing fails behind the opening
  if (t.stream) {
    while (fd_ < 0) {
      fd_ = t.descriptor >= 0
                ? ::fcntl(t.descriptor, F_DUPFD_CLOEXEC, 0)
                : ::open(t.file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
      if (fd_ >= 0) break;
      if (errno != ENXIO || !S_ISFIFO(t.status.st_mode)) refuse(path_, t.folder, errno);
      check();
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    }
  } else {
    draft_ = std::make_unique<draft>();
    draft_->where = std::move(t);
    fd_ = open_draft(draft_->where, draft_->name);
    if (fd_ < 0) refuse(path_, draft_->where.folder, errno);
  }
}

output_file::~output_file() {
  if (fd_ >= 0) ::close(fd_);
  if (draft_ && !draft_->name.empty()) ::unlink(draft_->name.c_str());
}

void output_file::fail(int code) const {
  refuse(path_, draft_ ? draft_->where.folder : ".", code);
}

void output_file::check() const {
  if (stop_.stop_requested()) throw cancelled_error(path_ + ": stopped");
}

void output_file::flush() {
  check();
  for (std::size_t done = 0; done < buffer_.size();) {
    std::size_t now = buffer_.size() - done;
    if (stream()) {
      // What a pipe that is ready surely takes, so that a stop is not waited for.
      now = std::min<std::size_t>(now, PIPE_BUF);
      pollfd ready{fd_, POLLOUT, 0};
      if (::poll(&ready, 1, pause) <= 0) {
        check();
        continue;
      }
    }
    const ssize_t n = ::write(fd_, buffer_.data() + done, now);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) fail(errno);
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

bool output_file::has_room(std::size_t bytes) const {
  return bytes < buffer_bytes - buffer_.size();
}

void output_file::write(const void* data, std::size_t bytes) {
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

void output_file::zeros(std::int64_t bytes) {
  const char nothing[64] = {};
  for (; bytes > 0; bytes -= 64)
    write(nothing, static_cast<std::size_t>(std::min<std::int64_t>(bytes, 64)));
}

void output_file::patch(std::int64_t at, const void* data, std::size_t bytes) {
  flush();
  const ssize_t n = ::pwrite(fd_, data, bytes, at);
  if (n != static_cast<ssize_t>(bytes)) fail(n < 0 ? errno : ENOSPC);
}

void output_file::finish() {
  if (finished_) return;
  flush();
  if (draft_) {
    if (draft_->where.exists) keep_access(fd_, draft_->where);
    // Some file systems have nothing to wait for.
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  }
  check();
  finished_ = true;
}

void output_file::remove_replaced() {
  if (!draft_ || !draft_->where.exists) return;
  if (::unlink(draft_->where.file.c_str()) != 0 && errno != ENOENT) fail(errno);
}

void output_file::commit() {
  finish();
  if (draft_)
    if (const int code = put_in_place(fd_, draft_->where, draft_->name); code != 0) fail(code);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) fail(errno);
}

}  // namespace gossamer
