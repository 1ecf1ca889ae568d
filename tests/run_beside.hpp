// A run that goes on in a thread of its own while a test looks at what waits for it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "gossamer/base/error.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// Goes on from its construction until end() or its destruction; with `progress`, and says so.
class run_beside {
 public:
  explicit run_beside(machine& m, const run_options& options = {}, bool progress = false)
      : thread_([this, &m, options, progress] {
          m.run(
              [this, progress](rank& r) {
                if (r.id() == 0) running_ = true;
                for (; !over_; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
                  if (progress) r.progress();
              },
              options);
        }) {
    while (!running_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~run_beside() { end(); }
  run_beside(const run_beside&) = delete;
  run_beside& operator=(const run_beside&) = delete;

  void end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> running_{false}, over_{false};
  std::thread thread_;
};

/// What a run of `m` that waits for another says when a stop is requested 20 ms later; after "timed
/// out: " when it says so.
inline std::string cancelled_while_waiting(machine& m, run_options options = {}) {
  std::stop_source stop;
  options.cancel = stop.get_token();
  const std::jthread stops([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  try {
    m.run([](rank&) { ADD_FAILURE() << "ran beside the other"; }, options);
  } catch (const cancelled_error& e) {
    return e.what();
  } catch (const rank_error& e) {
    return std::string(e.timed_out() ? "timed out: " : "") + e.what();
  }
  return "not cancelled";
}

}  // namespace gossamer
