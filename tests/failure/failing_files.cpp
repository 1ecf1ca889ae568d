// Memory that is short and files that fail, at every point of reading, generating and writing a
// small graph; and processes that end at every point of writing one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include "failure/fault_trials.hpp"
#include "gossamer/base/digest.hpp"
#include "gossamer/base/input_file.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/io.hpp"
#include "unit/base/scratch_folder.hpp"

namespace gossamer {
namespace {

using faults::kind;
using io_testing::contents;
using io_testing::scratch_folder;

constexpr faults::density every = {std::int64_t{1} << 40, 1};

/// Of all arrays of a graph.
std::uint64_t digest(const graph& g) {
  const auto of = []<class Array>(const Array& array) -> std::uint64_t {
    if constexpr (std::is_same_v<Array, std::monostate>)
      return 0;
    else
      return digest_of(std::as_bytes(std::span(array.data(), array.size())));
  };
  return digest_of({of(g.offsets), std::visit(of, g.indices), std::visit(of, g.weights)});
}

/// Makes a graph, which must be the same each time.
class making {
 public:
  making(const std::function<graph()>& make, std::uint64_t expected)
      : make_(make), expected_(expected) {}
  void act() { made_.emplace(make_()); }
  void expect_right() {
    if (made_) expect();
    made_.reset();
    act();
    expect();
  }

 private:
  void expect() { EXPECT_EQ(digest(*made_), expected_); }

  const std::function<graph()>& make_;
  std::uint64_t expected_;
  std::optional<graph> made_;
};

void fail_making(const std::string& what, kind of, const std::function<graph()>& make) {
  const std::uint64_t expected = digest(make());
  faults::fail_each(what, of, every, [&] { return making(make, expected); });
}

/// Samples of all formats and compressions, where this build reads them.
std::vector<std::string> samples() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(GOSSAMER_TEST_DATA)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("tiny") || name.ends_with(".metadata")) continue;
    try {
      static_cast<void>(read_graph(entry.path().string()));
      found.push_back(entry.path().string());
    } catch (const not_compiled&) {
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(FailingReads, OfMemory) {
  for (const std::string& path : samples())
    for (const int threads : {1, 2}) {
      read_options how;
      how.threads = threads;
      fail_making("reading " + path.substr(path.rfind('/') + 1) + " by " + std::to_string(threads),
                  kind::memory, [&] { return read_graph(path, how); });
    }
}

TEST(FailingReads, OfFiles) {
  for (const std::string& path : samples())
    fail_making("reading " + path.substr(path.rfind('/') + 1), kind::files,
                [&] { return read_graph(path); });
}

/// What reads a whole text.
class reading_text {
 public:
  void act() { text_ = read_text(GOSSAMER_TEST_DATA "/tiny.mtx", "a text", 1 << 20); }
  void expect_right() {
    act();
    EXPECT_EQ(text_, contents(GOSSAMER_TEST_DATA "/tiny.mtx"));
  }

 private:
  std::string text_;
};

TEST(FailingReads, OfATextWhole) {
  for (const kind of : {kind::memory, kind::files})
    faults::fail_each("reading a text", of, every, [] { return reading_text(); });
}

TEST(FailingGenerators, OfMemory) {
  for (const char* spec : {"kron:5", "uniform:5:3", "road:6", "preferential:30:2"})
    fail_making(std::string("generating ") + spec, kind::memory, [spec] {
      generate_options weighted;
      weighted.weights = true;
      return generate(parse_generator(spec), weighted);
    });
}

graph small_graph() {
  generate_options weighted;
  weighted.weights = true;
  return generate(parse_generator("uniform:5:3"), weighted);
}

constexpr const char* written[] = {"g.mtx", "g.gr", "g.npz", "g.gsr"};

/// What is in a folder, by name.
std::map<std::string, std::string> files_of(const scratch_folder& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    all[entry.path().filename().string()] = contents(entry.path().string());
  return all;
}

/// Writes a graph where there is nothing, or another file.
class writing {
 public:
  writing(const graph& g, const char* name, bool replacing, const std::string& expected)
      : graph_(g), name_(name), expected_(expected), path_(folder_.file(name)) {
    if (replacing) std::ofstream(path_) << "old";
    before_ = files_of(folder_);
  }
  void act() {
    write_graph(graph_, path_);
    written_ = true;
  }
  void expect_right() {
    // What closes last may fail when all is in its place.
    const auto now = files_of(folder_);
    if (written_ || now != before_) expect(now);
    act();
    expect(files_of(folder_));
  }

 private:
  void expect(const std::map<std::string, std::string>& now) const {
    EXPECT_EQ(now, (std::map<std::string, std::string>{{name_, expected_}}));
  }

  const graph& graph_;
  const char* name_;
  const std::string& expected_;
  scratch_folder folder_;
  std::string path_;
  std::map<std::string, std::string> before_;
  bool written_ = false;
};

std::string written_as(const graph& g, const char* name) {
  const scratch_folder folder;
  write_graph(g, folder.file(name));
  return contents(folder.file(name));
}

class FailingWrites : public ::testing::TestWithParam<kind> {};

TEST_P(FailingWrites, LeaveOldOrNewWhole) {
  const graph g = small_graph();
  for (const char* name : written) {
    const std::string expected = written_as(g, name);
    for (const bool replacing : {false, true})
      faults::fail_each(std::string("writing ") + name + (replacing ? " over another" : ""),
                        GetParam(), every, [&] { return writing(g, name, replacing, expected); });
  }
}

INSTANTIATE_TEST_SUITE_P(Calls, FailingWrites, ::testing::Values(kind::memory, kind::files),
                         [](const auto& given) {
                           return given.param == kind::memory ? "memory" : "files";
                         });

/// Ends a child of this process before its `at`-th call on files. True when it came so far.
bool killed_at(std::int64_t at, const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    faults::arm_end(kind::files, at);
    work();
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) {
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    return true;
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return false;
}

TEST(KilledWriters, LeaveOldOrNewWhole) {
  const graph g = small_graph();
  int points = 0, left = 0;
  for (const char* name : written) {
    const std::string expected = written_as(g, name);
    for (const bool replacing : {false, true}) {
      bool came = true;
      for (std::int64_t at = 1; came; ++at) {
        SCOPED_TRACE(std::string(name) + (replacing ? " over another" : "") +
                     ", killed before call " + std::to_string(at));
        const scratch_folder folder;
        const std::string path = folder.file(name);
        if (replacing) std::ofstream(path) << "old";
        came = killed_at(at, [&] { write_graph(g, path); });
        auto now = files_of(folder);
        // Between its two names, what replaces a file lies beside it (base/output_file.hpp).
        const auto beside = std::erase_if(now, [&](const auto& file) {
          const bool partial =
              file.first.starts_with(".gossamer-") && file.first.ends_with(".partial");
          if (partial) {
            EXPECT_EQ(file.second, expected);
          }
          return partial;
        });
        EXPECT_LE(beside, replacing ? 1u : 0u);
        left += static_cast<int>(beside);
        const auto found = now.find(name);
        if (!came) {
          EXPECT_TRUE(found != now.end() && found->second == expected);
        } else if (found == now.end()) {
          EXPECT_FALSE(replacing);
        } else {
          EXPECT_TRUE(found->second == expected || (replacing && found->second == "old"));
        }
        EXPECT_LE(now.size(), 1u);
        write_graph(g, path);
        EXPECT_EQ(contents(path), expected);
        points += came ? 1 : 0;
        if (HasFailure()) return;
      }
    }
  }
  std::cout << points << " points; at " << left << " a whole file was left beside the old one\n";
  EXPECT_GT(points, 40);
}

// A Galois file of floats has a second one that says so, without which it would be read as another
// graph.
TEST(KilledWriters, LeaveNoGraphWithoutItsMetadata) {
  const graph whole = small_graph();
  graph floats = whole;
  shared_array<float> weights(static_cast<std::size_t>(whole.arcs()));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.5f + static_cast<float>(i);
  floats.weights = weights;
  for (const bool to_floats : {false, true})
    for (const bool replacing : {false, true}) {
      const graph &old = to_floats ? whole : floats, &now = to_floats ? floats : whole;
      bool came = true;
      for (std::int64_t at = 1; came; ++at) {
        SCOPED_TRACE(std::string(to_floats ? "floats" : "whole numbers") +
                     (replacing ? " over another" : "") + ", killed before call " +
                     std::to_string(at));
        const scratch_folder folder;
        const std::string path = folder.file("g.gr");
        if (replacing) write_graph(old, path);
        came = killed_at(at, [&] { write_graph(now, path); });
        if (!std::filesystem::exists(path)) {
          EXPECT_TRUE(came);
          continue;
        }
        const std::uint64_t found = digest(read_graph(path));
        EXPECT_TRUE(found == digest(now) || (came && replacing && found == digest(old)));
        if (HasFailure()) return;
      }
    }
}

}  // namespace
}  // namespace gossamer
