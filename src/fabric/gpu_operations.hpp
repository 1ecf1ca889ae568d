// The few GPU actions host-called fabric operations are made of, behind plain C++ signatures:
// peer/gpu_operations.cu has them, absent/gpu_operations.cpp says not_compiled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/guard.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::gpu {

/// Loads every kernel of this file on the current device: a rank alone may wait for a signal of its
/// own. Runs of several load all kernels there are (gossamer/machine/kernels.cuh).
void prepare();
void fill(void* data, int value, std::size_t bytes, const stream& on);
/// Raises a counter that kernels on the stream's device can address; release at system scope.
void raise(std::uint64_t* counter, std::uint64_t value, bool add, const stream& on);
/// The same with `set`, of a counter in a GPU's memory, without a kernel where the driver can: one
/// of these would wait for a free multiprocessor behind a kernel that fills the device.
void raise_by_driver(std::uint64_t* counter, std::uint64_t value, const stream& on);
/// An add that the CPU performs: for counters in host memory that CPUs add to as well.
struct host_raise {
  std::uint64_t* counter = nullptr;
  std::uint64_t value = 0;
  resting_place* sleeper = nullptr;  ///< woken afterwards
  std::uint32_t busy = 0;            ///< 1 from its submission until it is done
};
/// Performs it in stream order, on a thread of the CUDA driver.
void raise_by_host(host_raise& what, const stream& on);
/// The stream waits until *counter >= value; gives up as `guard` says and records (from, window,
/// index) in the rank's slot.
void wait(const device_guard& guard, const std::uint64_t* counter, std::uint64_t value, int from,
          std::uint32_t window, std::uint64_t index, const stream& on);
/// Atomic by a kernel; the old value arrives in *result (pinned).
void atomic(void* word, int width, bool add, std::uint64_t a, std::uint64_t b,
            std::uint64_t* result, const stream& on);

/// The GPU's global timer in ns, written to *now (pinned) when the stream has got there.
void read_timer(std::uint64_t* now, const stream& on);

}  // namespace gossamer::gpu
