// Lanes: events that overlap, laid out over as few threads of a trace as hold them nested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/timeline_state.hpp"

namespace gossamer {

/// An event on its thread.
struct placed_event {
  const kept_event* of;
  std::int64_t begin, end;  ///< ns since the first event of all
};

/// Distributes events, in order of their begin, over lanes whose events are nested.
class lanes {
 public:
  explicit lanes(std::int64_t blur) : blur_(blur) {}
  /// The lane of an event; moves its begin by at most the blur to let it follow another.
  std::size_t place(placed_event& e) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (fits(open_[i], e)) return i;
    open_.push_back({e.end});
    return open_.size() - 1;
  }
  [[nodiscard]] std::size_t count() const { return open_.size(); }

 private:
  bool fits(std::vector<std::int64_t>& ends, placed_event& e) {
    while (!ends.empty() && ends.back() <= e.begin) ends.pop_back();
    if (!ends.empty() && e.end > ends.back()) {
      if (ends.back() - e.begin > blur_) return false;
      e.begin = ends.back();
      return fits(ends, e);
    }
    ends.push_back(e.end);
    return true;
  }
  std::int64_t blur_;
  std::vector<std::vector<std::int64_t>> open_;  ///< by lane: ends of what an event lies in
};

}  // namespace gossamer
