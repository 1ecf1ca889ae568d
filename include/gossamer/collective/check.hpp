// Checks a schedule without running it: who has what, and whether anything races.
//
// The ranks' parts are interpreted symbolically for several epochs back to back. The value of an
// element is the set of ranks whose input element i is in it. So "the right reduction of the right
// inputs, each once" and "a copy of the right element" are one comparison. Order is judged by
// vector clocks with the fabric's weakest promises (schedule.hpp). Two accesses of one element, one
// of them a write, are a race if no chain of signals orders them, whatever interleaving was
// simulated. The checker shares no code with the algorithms.
#pragma once

#include <string>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// Empty when the schedule is right, else the first thing wrong: a deadlock (who waits for whom), a
/// wrong element (what it holds), a race (both steps), a signal with two writers, a range outside
/// its buffer, lanes that meet. At most 64 ranks (usage_error). Cost: about (elements + steps *
/// ranks) per epoch.
std::string check(const schedule& s, int epochs = 4);
/// The same for other parts than the schedule's own, one per rank in order.
std::string check(const schedule& s, std::vector<rank_schedule> parts, int epochs = 4);

}  // namespace gossamer
