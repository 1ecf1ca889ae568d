// read_text(): regular files up to a length are read, and everything else is refused in words.
#include "gossamer/base/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"
#include "unit/base/scratch_folder.hpp"

namespace gossamer {
namespace {

std::string complaint(const std::string& path, std::size_t most = 8) {
  return message_of<input_error>([&] { read_text(path, "a list", most); });
}

TEST(input_file, is_a_regular_file_of_a_length) {
  const io_testing::scratch_folder folder;
  const std::string text = folder.file("text"), pipe = folder.file("pipe");
  std::ofstream(text) << "12345678";
  EXPECT_EQ(read_text(text, "a list", 8), "12345678");
  EXPECT_EQ(complaint(text, 7), text + ": is too long: a list has at most 7 bytes");
  EXPECT_EQ(read_text("/proc/self/cmdline", "a list").empty(), false);  // says that it has 0 bytes
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);                           // nobody writes to it
  EXPECT_EQ(complaint(pipe), pipe + ": is a pipe or a device; a list is read from a file");
  EXPECT_EQ(complaint("/dev/zero"), "/dev/zero: is a pipe or a device; a list is read from a file");
  EXPECT_EQ(complaint("/tmp"), "/tmp: is a folder, not a file");
  EXPECT_EQ(complaint("/no"), "/no: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace gossamer
