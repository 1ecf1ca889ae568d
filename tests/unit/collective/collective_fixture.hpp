// Machines, run options, schedules and names of the collective tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "gossamer/collective/schedule.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"
#include "message_of.hpp"

namespace gossamer {

inline run_options bounded() {
  run_options options;
  options.deadline = std::chrono::seconds(60);
  return options;
}

inline machine open_cpu(int p) {
  return machine::open("cpu:" + std::to_string(p) + "x1");
}

/// The text of the E that a run throws.
template <class E, class F>
std::string run_error(int p, F program) {
  return message_of<E>([&] { open_cpu(p).run(program, bounded()); });
}

/// Of elements of 8 bytes; all_to_all_v sends other numbers of them between every two ranks.
inline schedule schedule_of(collective_op op, std::string_view algorithm, int ranks,
                            std::size_t count, bool in_place = false) {
  collective_request q;
  q.op = op;
  q.ranks = ranks;
  q.count = count;
  q.element = 8;
  q.in_place = in_place;
  q.pair_count = [](int from, int to) { return static_cast<std::size_t>(from + to); };
  return {q, algorithm};
}

/// Of a test that is parameterised by an algorithm.
inline std::string algorithm_name(const ::testing::TestParamInfo<algorithm_info>& info) {
  return std::string(name_of(info.param.op)) + "_" + std::string(info.param.name);
}

}  // namespace gossamer
