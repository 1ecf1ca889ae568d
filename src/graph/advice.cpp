// Advice lies in graph::steps, in words, so that whatever copies a graph keeps it.
#include "gossamer/graph/advice.hpp"

#include <charconv>
#include <cmath>

namespace gossamer {

std::string metadata_step(const std::string& key, const std::string& value) {
  return "metadata: " + key + (value.empty() ? "" : " = " + value);
}

std::optional<double> advised_delta(const graph& g) {
  if (!g.weight_source.starts_with("file")) return {};
  std::optional<double> found;
  for (const std::string key : {"delta", "prio_delta"}) {
    const std::string begin = metadata_step(key, " ").substr(0, metadata_step(key, " ").size() - 1);
    for (const std::string& step : g.steps) {
      if (!step.starts_with(begin)) continue;
      double value = 0;
      const char* const end = step.data() + step.size();
      const auto [stopped, code] = std::from_chars(step.data() + begin.size(), end, value);
      if (code == std::errc() && stopped == end && std::isfinite(value) && value > 0) found = value;
    }
  }
  return found;
}

}  // namespace gossamer
