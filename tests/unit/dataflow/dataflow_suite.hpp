// The conformance suite of links and routers: what has to hold on every machine.
//
// The tests are in the suite_*.cpp files of this folder, compiled once. A program joins with one
// file that names its specs (on_threads_test.cpp, on_sim_test.cpp, on_mpi_test.cpp). What a segment
// holds is read by held(), since a GPU rank's lies in its memory.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gossamer/dataflow/flow.hpp"
#include "gossamer/dataflow/reduction.hpp"
#include "gossamer/machine/memory.hpp"
#include "on_machine.hpp"

namespace gossamer::dataflow {

using testing_machines::spec_name;

class dataflow_suite : public testing_machines::OnMachine {
 protected:
  machine& m() { return *machine_; }
  int p() { return machine_->size(); }
  int last() { return p() - 1; }
  bool modelled() { return m()[0].model != nullptr; }
  int gpus() {
    int n = 0;
    for (int r = 0; r < p(); ++r) n += m()[r].is_cuda() ? 1 : 0;
    return n;
  }

  /// Runs with a deadline that ends a broken test.
  void run(const wiring& w, const std::function<void(flow&)>& program,
           std::chrono::milliseconds deadline = std::chrono::seconds(10)) {
    run_options options;
    options.deadline = deadline;
    dataflow::run(m(), w, program, options);
  }
  /// What the run throws, as text; a failure when it throws nothing.
  template <class E>
  std::string failure_of(const wiring& w, const std::function<void(flow&)>& program,
                         std::chrono::milliseconds deadline = std::chrono::seconds(10)) {
    try {
      run(w, program, deadline);
    } catch (const std::exception& e) {
      // What another process threw arrives as a rank_error.
      const bool told = !m().all_here() && dynamic_cast<const rank_error*>(&e) != nullptr;
      if (!told && dynamic_cast<const E*>(&e) == nullptr) throw;
      return e.what();
    }
    ADD_FAILURE() << "the run did not fail";
    return {};
  }
  static void expect_says(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
  }
};

/// What a segment holds, on the host.
template <class T = std::uint32_t>
std::vector<T> held(const pending_segment& s) {
  const auto part = s.as<T>();
  std::vector<T> copy(part.size());
  copy_bytes(copy.data(), part.data(), part.size_bytes());
  return copy;
}

/// Values that tell messages and positions apart.
inline std::vector<std::uint32_t> values(std::size_t n, std::uint32_t message) {
  std::vector<std::uint32_t> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<std::uint32_t>(i) * 2654435761u + message;
  return v;
}

/// Receives one stream to its end; elements by message number, each at its place.
struct assembled {
  std::vector<std::vector<std::uint32_t>> messages;
  std::vector<endpoint> sources;  ///< of each segment
  std::vector<message> segments;
};
inline assembled receive_all(link in) {
  assembled all;
  for (;;) {
    const auto s = in.receive().get();
    if (s.empty()) return all;
    const auto number = static_cast<std::size_t>(s.what().number);
    if (all.messages.size() <= number) all.messages.resize(number + 1);
    auto& whole = all.messages[number];
    whole.resize(s.what().total / sizeof(std::uint32_t));
    const auto part = held(s);
    std::copy(part.begin(), part.end(),
              whole.begin() + static_cast<std::ptrdiff_t>(s.what().offset / sizeof(std::uint32_t)));
    all.sources.push_back(s.source());
    all.segments.push_back(s.what());
    in.release(s);
  }
}

/// One router between endpoints of all ranks: links into it and out of it, by rank.
struct exchange {
  std::vector<endpoint> ends;
  std::vector<link_id> up, down;
  endpoint hub;
};
inline exchange join_all(wiring& w, int p, routing_policy policy, const link_options& options) {
  exchange x;
  x.hub = w.add_router(p, p, std::move(policy), "hub");
  for (int r = 0; r < p; ++r) {
    x.ends.push_back(w.device(r));
    x.up.push_back(w.connect(x.ends.back(), x.hub));
    x.down.push_back(w.connect(x.hub, x.ends.back(), options));
  }
  return x;
}

}  // namespace gossamer::dataflow
