// Outputs appear whole or not at all, replace files and nothing else, and keep who may read them.
#include "gossamer/base/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "gossamer/base/error.hpp"
#include "unit/base/scratch_folder.hpp"

// The linker sends calls of these two through here, so that tests see them.
extern "C" {
int __real_fsync(int fd);
mode_t __real_umask(mode_t mask);
int __wrap_fsync(int fd);
mode_t __wrap_umask(mode_t mask);
}

namespace {
/// Content of this path at the last fsync.
std::string watched, found_at_sync;
int syncs = 0, masks = 0;
}  // namespace

int __wrap_fsync(int fd) {
  ++syncs;
  if (!watched.empty()) found_at_sync = gossamer::io_testing::contents(watched);
  return __real_fsync(fd);
}

mode_t __wrap_umask(mode_t mask) {
  ++masks;
  return __real_umask(mask);
}

namespace gossamer {
namespace {

using io_testing::contents;
using io_testing::scratch_folder;

void put(const std::string& path, std::string_view text) {
  output_file file(path);
  file.write(text);
  file.commit();
}

struct stat facts(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info;
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const usage_error& e) {
    return std::string("usage: ") + e.what();
  } catch (const error& e) {
    return e.what();
  }
  return "done";
}

TEST(output_file, appears_whole_or_not_at_all) {
  const scratch_folder folder;
  const std::string path = folder.file("x");
  put(path, "old");
  {
    output_file given_up(path);
    given_up.write(std::string(3 << 20, 'a'));
  }
  EXPECT_EQ(contents(path), "old");
  put(path, "new");
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(output_file, is_on_the_disk_before_it_has_its_name) {
  const scratch_folder folder;
  const std::string path = folder.file("x");
  put(path, "old");
  watched = path;
  syncs = 0;
  put(path, "new");
  watched.clear();
  EXPECT_EQ(syncs, 1);
  EXPECT_EQ(found_at_sync, "old");
  EXPECT_EQ(contents(path), "new");
}

// The mask is the process's: other threads would make files that everybody may write.
TEST(output_file, leaves_the_mask_of_the_process_alone) {
  const scratch_folder folder;
  masks = 0;
  for (const char* text : {"new", "replaced"}) put(folder.file("x"), text);
  EXPECT_EQ(masks, 0);
}

TEST(output_file, leaves_nothing_behind_a_process_that_is_killed) {
  const scratch_folder folder;
  const int probe = ::open(folder.file("").c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(probe);
  const pid_t child = ::fork();
  if (child == 0) {
    output_file file(folder.file("x"));
    file.write(std::string(3 << 20, 'a'));
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(output_file, keeps_the_permissions_of_what_it_replaces) {
  const scratch_folder folder;
  const std::string path = folder.file("x");
  put(path, "old");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(facts(path).st_mode & 0777, 0666 & ~mask);
  for (const mode_t mode : {0600, 0640, 0755}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    put(path, "new");
    EXPECT_EQ(facts(path).st_mode & 0777, mode);
  }
  if (::chown(path.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "owners are changed by root";
  put(path, "newer");
  EXPECT_EQ(facts(path).st_uid, 65534u);
  EXPECT_EQ(facts(path).st_gid, 65534u);
}

TEST(output_file, keeps_a_list_of_who_may_read) {
  const scratch_folder folder;
  const std::string path = folder.file("x");
  put(path, "old");
  // Version 2; owner rw, user 65534 rw, group nothing, mask rw, others nothing.
  struct entry {
    std::uint16_t tag, may;
    std::uint32_t id;
  };
  struct {
    std::uint32_t version = 2;
    entry entries[5] = {{1, 6, ~0u}, {2, 6, 65534}, {4, 0, ~0u}, {16, 6, ~0u}, {32, 0, ~0u}};
  } const list;
  const char* name = "system.posix_acl_access";
  if (::setxattr(path.c_str(), name, &list, sizeof(list), 0) != 0)
    GTEST_SKIP() << "the file system has no lists of who may read";
  put(path, "new");
  char kept[sizeof(list)];
  ASSERT_EQ(::getxattr(path.c_str(), name, kept, sizeof(kept)), static_cast<ssize_t>(sizeof(kept)));
  EXPECT_EQ(std::memcmp(kept, &list, sizeof(list)), 0);
}

TEST(output_file, goes_where_a_link_leads) {
  const scratch_folder folder;
  const std::string link = folder.file("link"), path = folder.file("x");
  ASSERT_EQ(::symlink("x", link.c_str()), 0);
  put(link, "made");  // it led nowhere
  put(link, "replaced");
  EXPECT_TRUE(S_ISLNK(facts(link).st_mode));
  EXPECT_EQ(contents(path), "replaced");
  ASSERT_EQ(::symlink("loop", folder.file("loop").c_str()), 0);
  const std::string loop = folder.file("loop");
  EXPECT_EQ(refusal([&] { put(loop, ""); }),
            "usage: " + loop + ": cannot be written: Too many levels of symbolic links");
}

TEST(output_file, writes_to_devices_as_they_are) {
  const scratch_folder folder;
  const std::string link = folder.file("null");
  ASSERT_EQ(::symlink("/dev/null", link.c_str()), 0);
  EXPECT_TRUE(check_output(link));
  put(link, "gone");
  EXPECT_TRUE(S_ISLNK(facts(link).st_mode));
  EXPECT_EQ(refusal([&] { output_file(link, {}, "graphs"); }),
            "usage: " + link + ": graphs are written to files, which are replaced");
  EXPECT_EQ(refusal([] { put("/dev/full", "too much"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(S_ISCHR(facts("/dev/null").st_mode));
}

TEST(output_file, writes_to_an_open_file_where_it_stands) {
  const scratch_folder folder;
  const int fd = ::open(folder.file("x").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(::write(fd, "before ", 7), 7);
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  put(name, "after");
  EXPECT_EQ(contents(folder.file("x")), "before after");
  ::close(fd);
  const int read_only = ::open("/dev/null", O_RDONLY);
  const std::string other = "/dev/fd/" + std::to_string(read_only);
  EXPECT_EQ(refusal([&] { put(other, ""); }), "usage: " + other + ": no permission to write there");
  ::close(read_only);
}

TEST(output_file, waits_for_a_pipe_only_until_it_is_stopped) {
  const scratch_folder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto stopped = [&] {
    std::stop_source stop;
    std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.request_stop();
    });
    return refusal([&] {
      output_file file(pipe, stop.get_token());
      file.write(std::string(1 << 20, 'a'));
    });
  };
  EXPECT_EQ(stopped(), pipe + ": stopped");  // it has no reader
  const int idle = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_EQ(stopped(), pipe + ": stopped");  // its reader takes nothing
  ::close(idle);
  std::string text;
  std::thread reader([&] { text = contents(pipe); });
  put(pipe, std::string(1 << 20, 'b'));
  reader.join();
  EXPECT_EQ(text, std::string(1 << 20, 'b'));
  EXPECT_TRUE(S_ISFIFO(facts(pipe).st_mode));
}

TEST(output_file, is_refused_where_it_cannot_be) {
  const scratch_folder folder;
  const auto said = [](const std::string& path) {
    const std::string before = refusal([&] { check_output(path); });
    EXPECT_EQ(refusal([&] { put(path, "x"); }), before);  // alike, whenever it shows
    EXPECT_TRUE(before.starts_with("usage: " + path + ": ")) << before;
    return before.substr(std::min(before.size(), path.size() + 9));
  };
  const std::string here = folder.file("");
  EXPECT_EQ(said(folder.file("no/x")), "there is no folder " + folder.file("no"));
  EXPECT_EQ(said(here), "is a folder");
  EXPECT_EQ(said(folder.file(std::string(300, 'x'))), "cannot be written: File name too long");
  EXPECT_EQ(said("/proc/x"), "cannot be written: No such file or directory");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  std::strncpy(address.sun_path, folder.file("socket").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(said(folder.file("socket")), "is neither a file nor a stream");
  ::close(socket);
  // Root may do everything, and is nobody for a while.
  put(folder.file("mine"), "mine");
  ASSERT_EQ(::chmod(folder.file("mine").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(here.c_str(), 0555), 0);
  const bool root = ::geteuid() == 0;
  ASSERT_TRUE(!root || ::seteuid(65534) == 0);
  EXPECT_EQ(said(folder.file("x")), "no permission to write there");
  EXPECT_EQ(said(folder.file("mine")), "no permission to write there");
  ASSERT_TRUE(!root || ::seteuid(0) == 0);
  ASSERT_EQ(::chmod(here.c_str(), 0755), 0);
  EXPECT_EQ(folder.files(), 2u);
}

TEST(output_file, may_have_the_longest_name) {
  const scratch_folder folder;
  const std::string path = folder.file(std::string(255, 'x'));
  EXPECT_FALSE(check_output(path));
  put(path, "once");
  put(path, "again");
  EXPECT_EQ(contents(path), "again");
}

TEST(output_file, knows_a_file_by_all_its_names) {
  const scratch_folder folder;
  const std::string x = folder.file("x"), other = folder.file("other");
  EXPECT_EQ(file_identity(x), file_identity(folder.file("./x")));  // not there yet
  EXPECT_NE(file_identity(x), file_identity(other));
  put(x, "");
  ASSERT_EQ(::link(x.c_str(), other.c_str()), 0);
  ASSERT_EQ(::symlink("x", folder.file("link").c_str()), 0);
  EXPECT_EQ(file_identity(x), file_identity(other));
  EXPECT_EQ(file_identity(x), file_identity(folder.file("link")));
  EXPECT_EQ(file_identity("/dev/null"), "");
}

}  // namespace
}  // namespace gossamer
