// Sums of what the time of a replay went to.
#include <algorithm>
#include <array>
#include <utility>

#include "gossamer/collective/replay.hpp"

namespace gossamer::model {

time_parts& time_parts::operator+=(const time_parts& more) noexcept {
  software += more.software;
  start += more.start;
  setup += more.setup;
  latency += more.latency;
  moving += more.moving;
  contention += more.contention;
  copying += more.copying;
  computing += more.computing;
  return *this;
}

double time_parts::total() const noexcept {
  return software + start + setup + latency + moving + contention + copying + computing;
}

std::string time_parts::largest() const {
  const std::array<std::pair<double, const char*>, 8> all{{{software, "software"},
                                                           {start, "start"},
                                                           {setup, "setup"},
                                                           {latency, "latency"},
                                                           {moving, "moving"},
                                                           {contention, "contention"},
                                                           {copying, "copying"},
                                                           {computing, "computing"}}};
  return std::max_element(all.begin(), all.end(),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

}  // namespace gossamer::model
