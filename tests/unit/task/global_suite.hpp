// What is tested of memory and tasks over ranks on every kind of machine. On MPI each process runs
// one rank of every test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/task/global_tasks.hpp"
#include "message_of.hpp"

namespace gossamer {

/// The sum over all ranks, on each; collective.
inline std::int64_t sum_over(rank& r, std::int64_t mine) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

/// A machine's spec, and after a blank, unless parcels are polled, the memory manager: "thread" or
/// "hardware".
class global_suite : public ::testing::TestWithParam<std::string> {
 protected:
  machine m = machine::open(GetParam().substr(0, GetParam().find(' ')));

  [[nodiscard]] static bool has_thread() { return GetParam().ends_with(" thread"); }
  [[nodiscard]] static global_tasks_options plain() {
    global_tasks_options o;
    if (has_thread()) o.manager = make_thread_manager;
    if (GetParam().ends_with(" hardware")) o.manager = make_hardware_manager;
    return o;
  }
  /// As little room as there can be: what does not fit has to wait.
  [[nodiscard]] static global_tasks_options narrow() {
    auto o = plain();
    o.messages.parcels = {2048, 1};
    return o;
  }

  /// What a run throws, as text. On MPI it may be what another process says of its failure, which
  /// has that one's text in it.
  std::string thrown(const std::function<void(rank&)>& program) {
    return message_of<error>([&] { m.run(program); });
  }
};

inline std::string spec_text(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace gossamer
