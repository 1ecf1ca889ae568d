// Pointer chasing over the global heap: dependent references to other ranks' memory (paper D's
// Fig. 6, with a network in place of a delay).
//
// Each rank has a cyclic list of its own. All its nodes lie on the other ranks, one after the other
// in turn, in random order there. A task follows one list: it asks the node's owner for the next
// address, and leaves the core to the others until the reply comes. So n tasks of a rank have n
// references under way. By Little's law the rank makes n / (round trip) of them a second, until
// messages, memory or cores are saturated.
//
//   auto m = machine::open("sim:grappa,ranks=2");          // or "mpi", "cpu:2x1"
//   auto r = chase_global(m, {.in_flight = 300});
//   r.rate / m.size()                                      // references a second of a rank
#pragma once

#include <cstdint>
#include <string_view>

#include "gossamer/machine/machine.hpp"

namespace gossamer {

/// Who carries messages, see memory_manager.hpp.
enum class chase_manager { polled, thread, hardware };
std::string_view to_string(chase_manager manager) noexcept;

struct global_chase_options {
  std::int64_t in_flight = 300;       ///< tasks of each rank
  std::int64_t references = 1 << 16;  ///< steps a rank, shared out among its tasks evenly
  std::int64_t nodes = 1 << 16;       ///< of each rank's list, 16 bytes each; rounded up
  chase_manager manager = chase_manager::polled;
  run_options run{};
};

struct global_chase_result {
  double seconds = 0;            ///< slowest rank; virtual on modelled machines
  std::int64_t references = 0;   ///< of all ranks
  double rate = 0;               ///< references a second
  std::int64_t parcels = 0;      ///< of all ranks, requests and replies
  double messages_a_parcel = 0;  ///< their mean
};

/// Collective where ranks are processes; the result is the same in each. verification_error when a
/// task does not arrive where it must. usage_error for numbers that are not positive, a machine of
/// one rank, GPUs, and a manager that the machine has not.
global_chase_result chase_global(machine& m, const global_chase_options& options);

}  // namespace gossamer
