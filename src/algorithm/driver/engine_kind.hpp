// The form of an engine: what it is, what it takes, and how it is made. Each engine's folder has
// one (kind.cpp); its algorithm's table lists them, and everything else goes by that list.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// `Engine`: prepared for a graph on a machine. `Preparation`: what it is made from. `Problem`:
/// what its plan is made from.
template <class Engine, class Preparation, class Problem, class Options>
struct engine_kind {
  using engine_type = Engine;

  engine_info info;
  /// Whether ranks work on a placement of the graph.
  bool (*placed)(const machine& m) = [](const machine&) { return true; };
  /// That has in-arcs, too.
  bool both_directions = false;
  /// By a distributed worklist.
  bool worklist = false;
  /// Declares what ranks take: their own memory and windows.
  void (*declare)(memory_layout& layout, const machine& m, const Problem& p,
                  const Options& options) = nullptr;
  std::unique_ptr<Engine> (*make)(const Preparation& from) = nullptr;
};

/// Engine host: the worklist of engine `Async` on GPUs, of several processes, too, driven by host
/// threads. `mixed`: CPU ranks may stand beside.
template <auto Async>
const auto& driven_by_host(const char* chosen = "", bool mixed = false) {
  static const auto host = [chosen, mixed] {
    auto kind = Async();
    kind.info.name = "host";
    kind.info.meaning =
        "the worklist of async, each round launched and each message sent by the host";
    kind.info.chosen = chosen;
    kind.info.cpus = false;
    kind.info.gpus_of_processes = true;
    kind.info.mixed = mixed;
    return kind;
  }();
  return host;
}

/// The engines of an algorithm.
template <class Kind, std::size_t Number>
struct kind_list {
  const char* algorithm;
  std::array<const Kind& (*)(), Number> kinds;

  [[nodiscard]] std::vector<engine_info> infos() const {
    std::vector<engine_info> all;
    for (const auto kind : kinds) all.push_back(kind().info);
    return all;
  }
  /// By its name, which is checked.
  [[nodiscard]] const Kind& named(std::string_view name) const {
    for (const auto kind : kinds)
      if (kind().info.name == name) return kind();
    throw usage_error(std::string(algorithm) + ": unknown engine '" + std::string(name) + "'");
  }
};
template <class Kind, std::size_t Number>
kind_list(const char*, std::array<const Kind& (*)(), Number>) -> kind_list<Kind, Number>;

}  // namespace gossamer::algorithm_detail
