// What the environment sets. Every variable that the library reads is a function here. docs/cli.md
// has them all, and `gossamer info` shows those that are set.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gossamer::configuration {

/// GOSSAMER_TIMEOUT: factor on every default deadline (1.0). Throws usage_error unless positive.
double timeout_factor();
/// The default deadline of waits: 60 s x timeout_factor().
std::chrono::nanoseconds default_deadline();
/// GOSSAMER_MEMORY: bytes a run may take per device, with suffixes K, M, G, T (powers of 1024).
std::optional<std::int64_t> memory();
/// GOSSAMER_KEEP: bytes of each memory that may be kept for later calls (placement/kept.hpp), with
/// suffixes; 0 keeps nothing.
std::optional<std::int64_t> keep();
/// What GPU pairs may use of what they have.
enum class peer_access { on, no_atomics, off };
/// GOSSAMER_PEER=off forces GPU pairs onto the path through pinned host memory; no-atomics leaves
/// them loads, stores and copies, as PCIe does, and sends atomics to the owner of the memory.
peer_access peer();
/// GOSSAMER_SHARED_KERNELS=off: kernels of ranks that share a GPU count as taking turns, whatever a
/// trial would show.
bool shared_kernels_allowed();
/// GOSSAMER_BIND=off leaves threads unbound even when every rank could have cores of its own.
bool bind_allowed();
/// GOSSAMER_MPI_SHARED=off sends everything between MPI processes as messages, processes of one
/// host included.
bool mpi_shared();
/// GOSSAMER_MPI_PROGRESS=on gives each MPI process a thread that serves messages while its rank
/// computes.
bool mpi_progress();
/// How GPU memory goes into messages of an mpi:cuda machine.
enum class gpu_messages { automatic, straight, pinned };
/// GOSSAMER_MPI_CUDA=auto hands large transfers to MPI by their GPU addresses when the library says
/// that it takes them, on does so whatever it says, off sends everything through pinned memory.
gpu_messages mpi_cuda();
/// GOSSAMER_MACHINE: the spec that "auto" stands for, when set.
std::optional<std::string> default_machine();
/// GOSSAMER_COLLECTIVES: rules for collectives, or the name of a file that holds some.
std::optional<std::string> collectives();
/// Where settings of the user are kept: $XDG_CONFIG_HOME/gossamer, else ~/.config/gossamer; empty
/// when neither variable is set.
std::string directory();

/// True when ids of a graph with so many vertices are stored in 32 bits: below 2^31 of them, unless
/// GOSSAMER_WIDE_IDS=on asks for 64 bits everywhere. That switch is how the path of graphs too
/// large for a test is run on small ones; formats whose ids are 32 bits (.sg, .wsg) stay so.
bool narrow_ids(std::int64_t vertices);

/// Parses "1024", "4G", "1.5GiB"; throws usage_error with the text on anything else.
std::int64_t parse_bytes(const std::string& text);
/// "3.2 GiB" for output.
std::string format_bytes(std::int64_t bytes);

}  // namespace gossamer::configuration
