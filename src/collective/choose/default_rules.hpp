// Rules and conditions that are data, apart from the machine they are asked for: what a few GPUs
// that address each other run by default, and when that may be NVIDIA's library.
#pragma once

#include <cstddef>
#include <string>

#include "gossamer/collective/plan.hpp"

namespace gossamer {

/// Over the defaults where `ranks` GPUs address each other. `library`: NCCL takes what it was
/// measured to be faster at, which are long vectors among more than two
/// (docs/design/collectives.md).
std::string few_gpus_rules(int ranks, bool library);

/// Shorter messages are never left to the library, which therefore need not be opened for them.
inline constexpr std::size_t library_from = std::size_t{8} << 20;

/// Whether a plan that nobody chose an algorithm for may be the library's: only what it does, and
/// nothing asked for that our schedules alone can do. All ranks answer alike.
bool library_may(std::size_t bytes, reduction how, const plan_options& options);

}  // namespace gossamer
