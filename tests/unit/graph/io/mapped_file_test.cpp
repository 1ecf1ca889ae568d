// A mapped file that is changed under a graph: an error, where reading it would end the process.
#include "gossamer/graph/mapped_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message_of.hpp"
#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

std::string complaint(const graph& g) {
  return message_of<input_error>([&] { graph_file(g).check(); });
}

TEST(mapped_file, that_was_changed_is_refused) {
  const scratch_folder folder;
  const std::string path = folder.file("g.gsr");
  write_graph(read_graph(data_file("tiny.wsg")), path);
  const auto bytes = std::filesystem::file_size(path);
  const graph g = read_graph(path);
  ASSERT_TRUE(g.mapped);
  EXPECT_EQ(complaint(g), "nothing was thrown");
  const graph_file before(g);
  const std::string changed = path + ": was changed while it was in use";
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  EXPECT_EQ(complaint(g), changed + ": it had " + std::to_string(bytes) + " bytes, now 100");
  EXPECT_THROW(before.check(), input_error);
  EXPECT_THROW(write_graph(g, folder.file("copy.gsr")), input_error);
  EXPECT_EQ(folder.files(), 1u);
  // As long as before, but written to.
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
  const timespec times[2] = {{0, UTIME_OMIT}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  EXPECT_EQ(complaint(g), changed);
}

TEST(mapped_file, that_another_took_the_place_of_stays) {
  const scratch_folder folder;
  const std::string path = folder.file("g.gsr");
  write_graph(read_graph(data_file("tiny.wsg")), path);
  const graph g = read_graph(path);
  const auto arcs = g.arcs();
  write_graph(read_graph(data_file("tiny.gr")), path);
  EXPECT_EQ(complaint(g), "nothing was thrown");
  EXPECT_EQ(g.arcs(), arcs);
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_EQ(complaint(g), "nothing was thrown");
}

TEST(mapped_file, is_of_no_other_graph) {
  const graph read = read_graph(data_file("tiny-v1.gr"));
  EXPECT_EQ(complaint(read), "nothing was thrown");
  EXPECT_NO_THROW(graph_file().check());
}

}  // namespace
}  // namespace gossamer
