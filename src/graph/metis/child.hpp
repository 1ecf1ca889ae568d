// Foreign code that cannot be interrupted, run in a child process that can be killed.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

namespace gossamer::detail {

/// Runs work(result) with `bytes` of zeroed memory and calls take(code, result) with what it
/// returned. Without a possible stop both run here. With one, work runs in a forked child that
/// shares this process's pages (copied only where it writes) and is killed when a stop is
/// requested: cancelled_error("WHAT: stopped") a few milliseconds later, with nothing left behind.
///
/// A forked child has the forking thread only; `work` may allocate (glibc makes its heap usable
/// after fork) and compute, but must take no lock another thread may hold, and use no threads; what
/// it prints to stdout is dropped there. The child dies with its parent. capacity_error when it
/// cannot be started or was killed from outside (out of memory).
void run_in_child(const std::stop_token& stop, const std::string& what, std::size_t bytes,
                  const std::function<int(void*)>& work,
                  const std::function<void(int, const void*)>& take);

}  // namespace gossamer::detail
