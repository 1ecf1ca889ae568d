// flow: a wiring at work on one rank.
//
//   machine m = machine::open("cpu:4");
//   dataflow::wiring w(m);                     // … endpoints, routers, links
//   dataflow::run(m, w, [&](dataflow::flow& f) {
//     f[link].send(data); … ; f[link].shutdown();
//   });
//
// Buffers, headers and counters are taken when the flow is made, and nothing is allocated after. A
// rank's endpoints belong to its one thread. Code of several endpoints takes turns in it; those
// that only react use receive callbacks.
//
// Waits last as long as the run's deadline without progress of any other rank. The error then says
// which endpoint waited, on which link, and what its queue holds. It also names the endpoint whose
// messages no policy would forward, on whatever rank that is.
#pragma once

#include <functional>
#include <memory>

#include "gossamer/dataflow/link.hpp"
#include "gossamer/dataflow/wiring.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::dataflow {

class flow {
 public:
  /// Collective. Checks the wiring; capacity_error when run_options::arenas holds too little. The
  /// wiring must outlive it.
  flow(const wiring& w, rank& r);
  ~flow();
  flow(const flow&) = delete;
  flow& operator=(const flow&) = delete;

  /// Throws usage_error unless an endpoint of this rank is at one of its ends.
  [[nodiscard]] link operator[](link_id which);
  [[nodiscard]] gossamer::rank& rank() noexcept;
  [[nodiscard]] int id() noexcept { return rank().id(); }
  /// Sends what can leave and calls receive callbacks, without waiting. For long computations;
  /// takes no modelled time.
  void progress();
  /// Waits until the streams of all links with callbacks have ended.
  void serve();
  /// Shuts down the links that are still open, then waits until all that this rank has queued has
  /// left and serve() is done. Called by run().
  void finish();

 private:
  std::unique_ptr<flow_state> state_;
};

/// machine::run of a program that gets a flow, followed by finish(). Takes the arenas that the
/// wiring needs unless some are given. What one rank throws ends the run for all.
void run(machine& m, const wiring& w, const std::function<void(flow&)>& program,
         run_options options = {});

}  // namespace gossamer::dataflow
