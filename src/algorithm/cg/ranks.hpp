// How many GPUs a system is worth: several save time on the matrix and lose it agreeing.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::cg_detail {

/// What an iteration moves in all: 12 bytes an entry, offsets, and the vectors' passes.
std::int64_t iteration_bytes(std::int64_t rows, std::int64_t entries);

/// Whether `ranks` GPUs, each with the loop as one kernel, take less time than one of them.
///
/// Measured on H200 (bench/problem/cg_machines.py): reading runs at about 4 MB a microsecond, and
/// agreeing costs an iteration 2 us more on two GPUs, 6 on four.
bool several_gpus_pay(std::int64_t bytes, int ranks);

/// Why one GPU alone is faster than all of `m`; empty: it is not, or the engine is another.
/// `single_kernel`: the engine, whose ranks are GPUs of one process.
std::string why_one_gpu(const machine& m, const graph& matrix, bool single_kernel);

}  // namespace gossamer::cg_detail
