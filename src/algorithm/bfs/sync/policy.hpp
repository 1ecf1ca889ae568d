// When a traversal changes direction. Beamer, Asanović, Patterson, "Direction-Optimizing
// Breadth-First Search", SC'12, section V, with the GAP Benchmark Suite's constants as defaults.
#pragma once

#include <cstdint>

#include "gossamer/algorithm/bfs.hpp"

namespace gossamer::bfs_detail {

class direction_policy {
 public:
  /// `vertices` and `arcs` of the whole graph.
  direction_policy(const bfs_options& options, std::int64_t vertices, std::int64_t arcs,
                   bool may_go_up)
      : options_(options), vertices_(vertices), unexplored_(arcs), may_go_up_(may_go_up) {
    up_ = may_go_up && options.direction == bfs_direction::bottom_up;
  }

  /// True when the next level goes bottom-up. `frontier` vertices with `arcs` arcs in their rows;
  /// arcs are looked at only after needs_arcs() said so.
  bool choose(std::int64_t frontier, std::int64_t arcs) {
    if (options_.direction == bfs_direction::automatic && may_go_up_) {
      if (!up_) {
        // A bottom-up step reads every word of the bitmaps: near the end of a traversal few arcs
        // are unexplored and any frontier would pass the first test.
        up_ = static_cast<double>(arcs) * options_.alpha > static_cast<double>(unexplored_) &&
              arcs > vertices_ / 16;
      } else {
        up_ = frontier >= last_ ||
              static_cast<double>(frontier) * options_.beta > static_cast<double>(vertices_);
      }
    }
    last_ = frontier;
    return up_;
  }
  /// A top-down step has looked at `arcs` arcs.
  void explored(std::int64_t arcs) { unexplored_ -= arcs; }
  /// False when no number of arcs up to `most` can turn the next choice.
  [[nodiscard]] bool needs_arcs(std::int64_t most) const {
    return options_.direction == bfs_direction::automatic && may_go_up_ && !up_ &&
           most > vertices_ / 16;
  }
  /// Takes the choice of this level back.
  void stay_down() { up_ = up_ && options_.direction != bfs_direction::automatic; }
  [[nodiscard]] bool up() const { return up_; }

 private:
  bfs_options options_;
  std::int64_t vertices_, unexplored_, last_ = 0;
  bool may_go_up_, up_ = false;
};

}  // namespace gossamer::bfs_detail
