// What a timeline keeps: the recorders of the run in progress, and the events of earlier ones.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gossamer/fabric/trace.hpp"

namespace gossamer {

/// An event of a run that has ended.
struct kept_event {
  trace_event e;
  std::int32_t rank = 0, run = 0;
};

struct timeline::state {
  std::size_t most = 0;  ///< events of a run, all ranks

  /// One rank as the trace describes it.
  struct rank_text {
    std::string device;
    int host = 0;
    bool cuda = false;
  };
  std::string spec, fabric, system;  ///< system: title of the modelled one, else empty
  std::vector<rank_text> ranks;
  struct link_text {
    std::string transport;
    double bandwidth = 0;
  };
  /// Of a pair of ranks; kept as the machine, which may be gone.
  std::shared_ptr<const model::system> model;
  std::vector<link_text> links;  ///< [p * p], empty where the machine is a model
  [[nodiscard]] link_text link_of(int from, int to) const;

  std::vector<std::unique_ptr<trace_recorder>> recorders;  ///< null: another process's
  bool open = false;
  int runs = 0;      ///< that have ended
  double shift = 0;  ///< s: a model's clock begins every run at 0
  std::vector<kept_event> events;
  std::uint64_t dropped = 0;
  struct described {
    int run = 0;
    std::string algorithm;
    double milliseconds = 0;
    std::vector<std::pair<std::string, std::int64_t>> facts;
    std::string engine;  ///< empty: none
  };
  std::vector<described> descriptions;

  std::set<std::string> names;          ///< of events that came from other processes
  std::vector<kept_event> from_others;  ///< of the run in progress
  std::uint64_t dropped_by_others = 0;

  [[nodiscard]] std::size_t share() const;
  void describe(const machine& m);
  void keep(const trace_event& e, int rank);
  /// Every process tells the others its rank's events; see timeline_gather.cpp.
  void gather(rank& r);
};

}  // namespace gossamer
