// Whether a call is faster on the host's CPUs than on the GPUs that machine "auto" stands for.
#pragma once

#include <string>
#include <string_view>

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

/// A machine to call an algorithm on, as a spec, and why it; without a reason the one asked about.
struct machine_choice {
  std::string spec;
  std::string reason;
};

/// Takes "cpu" in place of "auto" where that means GPUs of this process, GOSSAMER_MACHINE names
/// nothing, and a whole call of `algorithm` with its usual engine and options is estimated to be
/// faster there, results in host memory: on graphs of very many levels with little in each, and on
/// small ones. Stays: cg, filter, what goes by steps, other machines, graphs in a GPU's memory.
/// A function of the graph alone, and not of what is kept of it: what a first call takes besides
/// is not counted.
machine_choice choose_machine(const machine& m, const graph& g, std::string_view algorithm);

}  // namespace gossamer
