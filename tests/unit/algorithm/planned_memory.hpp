// What searches on GPUs take, beside what is planned.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "gossamer/base/memory_use.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Each GPU takes no more than is planned, and nothing in a second run.
template <class Search, class Options, class Run>
void expect_planned(machine& m, const graph& g, const Options& options, const Run& run) {
  SCOPED_TRACE(g.name + " " + options.engine + " " + options.route + " " + options.partition);
  run_options bare;
  bare.arenas = {arena_plan{0, 0}};
  m.run([](rank&) {}, bare);  // streams and channels are the machine's
  std::map<int, std::int64_t> planned, before;
  for (const auto& e : Search::plan(m, g, options).entries)
    if (e.kind == memory_kind::device) planned[m[e.rank].ordinal] += e.bytes;
  ASSERT_FALSE(planned.empty());
  for (const auto& [gpu, bytes] : planned) before[gpu] = memory_in_use(gpu).now;
  begin_peaks();
  Search search(m, g, options);
  run(search);
  for (const auto& [gpu, bytes] : planned) EXPECT_LE(memory_in_use(gpu).peak - before[gpu], bytes);
  begin_peaks();
  run(search);
  for (const auto& [gpu, bytes] : planned)
    EXPECT_EQ(memory_in_use(gpu).peak, memory_in_use(gpu).now);
}

}  // namespace gossamer
