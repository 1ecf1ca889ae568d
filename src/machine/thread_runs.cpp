// A thread-local chain of runs, innermost first, that belongs_to extends for the length of a scope.
#include "machine/thread_runs.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/machine/run_membership.hpp"

namespace gossamer {

namespace {
thread_local const run_in_progress* innermost = nullptr;
}  // namespace

const run_in_progress* thread_runs() noexcept {
  return innermost;
}

gpu_use thread_use() noexcept {
  gpu_use most = gpu_use::none;
  for (const auto* r = innermost; r != nullptr; r = r->outer) most = std::max(most, r->use);
  return most;
}

belongs_to::belongs_to(const run_in_progress& run) noexcept
    : before_(std::exchange(innermost, &run)) {}

belongs_to::~belongs_to() {
  innermost = before_;
}

run_membership::run_membership() noexcept : innermost_(innermost) {}

run_membership::scope::scope(const run_membership& of) noexcept
    : before_(std::exchange(innermost, of.innermost_)) {}

run_membership::scope::~scope() {
  innermost = before_;
}

}  // namespace gossamer
