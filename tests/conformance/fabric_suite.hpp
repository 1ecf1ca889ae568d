// The conformance suite of the fabric: what every transport has to pass, on any machine spec.
//
// The tests are in the other fabric_*.cpp files of this folder, compiled once. A transport joins
// with one file that includes this header and names its specs (see threads.cpp), and one line of
// CMake. A spec whose devices are not there is skipped, with the message of resolve_spec.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/spec.hpp"
#include "spec_name.hpp"

namespace gossamer::conformance {

using namespace std::chrono_literals;

inline constexpr home homes[] = {home::native, home::host};

/// One machine per spec and program, kept open: later tests also show that it stays usable.
class fabric : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;
  static void TearDownTestSuite();

  machine& m() { return *machine_; }
  int p() { return machine_->size(); }
  /// Ranks of this process: what a test counts in a variable, it counts for these alone.
  [[nodiscard]] bool here(int rank) { return machine_->here(rank); }
  int ranks_here();
  /// Ranks in virtual time: fibers of one thread, which know at once when nothing can happen.
  bool modelled() { return m()[0].model != nullptr; }
  /// Runs with a deadline that ends a broken test, and arenas for the largest one.
  void run(const std::function<void(rank&)>& program, run_options options = {});
  /// The same; gives the text of the E it threw, empty when it threw none. Where ranks are other
  /// processes, theirs is told here by a rank_error that holds the text.
  template <class E>
  std::string failure_of(const std::function<void(rank&)>& program, run_options options = {}) {
    try {
      run(program, std::move(options));
    } catch (const std::exception& e) {
      const bool told = ranks_here() < p() && dynamic_cast<const rank_error*>(&e) != nullptr;
      if (!told && dynamic_cast<const E*>(&e) == nullptr) throw;
      return first_failure(e.what());
    }
    ADD_FAILURE() << "the run did not throw what it should";
    return {};
  }

 private:
  /// Without "rank N stopped because rank M failed: " in front.
  static std::string first_failure(const std::string& text);
  machine* machine_ = nullptr;
};

/// A value that tells source, target, position and round apart.
inline std::uint64_t pattern(std::uint64_t from, std::uint64_t to, std::uint64_t index,
                             std::uint64_t round = 0) {
  std::uint64_t x = (((from * 131 + to) * 1000003 + round) << 20) + index + 1;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

/// This rank's elements, after the work in its stream.
template <class T>
std::vector<T> contents(rank& r, const window<T>& w) {
  r.synchronize();
  std::vector<T> copy(w.size());
  copy_bytes(copy.data(), w.local().data(), copy.size() * sizeof(T));
  return copy;
}
template <class T>
void assign(rank& r, std::span<T> to, const std::vector<T>& values) {
  r.synchronize();
  copy_bytes(to.data(), values.data(), values.size() * sizeof(T));
}
/// Scratch memory with these values: in the rank's own memory or in host memory.
template <class T>
std::span<T> source(rank& r, const std::vector<T>& values, home where) {
  auto memory = r.scratch<T>(values.size(), where);
  assign(r, memory, values);
  return memory;
}

using testing_machines::spec_name;

/// A program's tests with a variable of the environment, set before any machine is opened.
inline int run_tests_with(const char* variable, const char* value, int argc, char** argv) {
  setenv(variable, value, 1);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

/// A wait of rank `waiting` for rank 0 ended in its deadline; `said` follows the rank's number.
inline void expect_timed_out(const rank_error& e, int waiting, const std::string& said) {
  const std::string text = e.what();
  EXPECT_TRUE(e.timed_out()) << text;
  EXPECT_EQ(e.rank(), waiting) << text;
  EXPECT_EQ(e.peer(), 0) << text;
  EXPECT_NE(text.find("rank " + std::to_string(waiting) + said), std::string::npos) << text;
}

}  // namespace gossamer::conformance
