// Machines whose GPUs do not address each other's memory: messages go through pinned memory.
#pragma once

#include "on_machine.hpp"
#include "unit/machine/environment.hpp"

namespace gossamer::testing_machines {

/// `check`: of each such machine, which has several ranks.
template <class Check>
void without_peers(const Check& check) {
  if (cuda_devices().empty()) GTEST_SKIP() << "needs a GPU";
  const testing::scoped_variable off("GOSSAMER_PEER", "off");
  for (const char* spec : {"cuda:0*3", "cuda:0-1"}) {
    if (!lacking(spec).empty()) continue;
    SCOPED_TRACE(spec);
    auto m = machine::open(spec);
    ASSERT_NO_FATAL_FAILURE(check(m));
  }
}

}  // namespace gossamer::testing_machines
