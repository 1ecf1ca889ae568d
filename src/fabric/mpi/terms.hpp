// run_options::terms between processes: how they travel, and what is said where they differ.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fabric/mpi/protocol.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::mpi {

/// Terms as bytes: the same terms, the same bytes.
void append_terms(message& to, std::span<const run_term> terms);

/// By rank, of at least one. Empty when all have rank 0's; else one line on who differs, in what.
std::string disagreement(const std::vector<std::span<const std::byte>>& of_ranks);

}  // namespace gossamer::mpi
