// Calls that fail when a test says so: the n-th of a kind, once or from then on.
//
// fault_calls.cpp puts itself between a program and what it asks of the system: operator new and
// delete of the whole program, and by the linker (fail_calls() in CMakeLists.txt) the calls that
// the library itself makes. Each call of a kind that is armed is counted, on all threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace gossamer::faults {

enum class kind : std::uint8_t {
  memory,    ///< operator new, malloc and its like, mmap and mremap
  threads,   ///< starts of threads
  files,     ///< what opens, writes, syncs, names and closes files
  on_a_gpu,  ///< device and pinned memory, streams and events
};

/// From now on the `at`-th call of this kind fails, counted from 1; `lasting`: and all behind it.
void arm(kind of, std::int64_t at, bool lasting) noexcept;
/// From now on the process ends by SIGKILL where it would make the `at`-th call of this kind.
void arm_end(kind of, std::int64_t at) noexcept;
/// Nothing fails any more. Returns how many calls came since arm().
std::int64_t disarm() noexcept;
/// Whether the call that was to fail came.
bool reached() noexcept;

/// What this process has and did not give back.
struct holdings {
  std::int64_t blocks = 0;    ///< of operator new and malloc's like
  std::int64_t mappings = 0;  ///< bytes of mmap and mremap
  std::int64_t on_a_gpu = 0;  ///< blocks, streams and events
  std::int64_t threads = 0, files = 0;
  bool operator==(const holdings&) const = default;
};
holdings held();

/// For what replaces calls: counts one, and says whether it fails.
bool fails(kind of) noexcept;
extern std::atomic<std::int64_t> blocks_on_a_gpu;

}  // namespace gossamer::faults
