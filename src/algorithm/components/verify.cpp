// The verifier: searches over both directions, from vertices in ascending order, that share no code
// with hooking.
#include <vector>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

/// Meets all of one component and compares labels; returns the first vertex with another, or -1.
template <class View, class Id>
class search {
 public:
  search(const View& out, const View& in, bool symmetric, const shared_array<Id>& labels,
         const std::stop_token& stop)
      : out_(out),
        in_(in),
        symmetric_(symmetric),
        labels_(labels),
        stop_(stop),
        met_(labels.size(), 0) {}

  [[nodiscard]] bool met(std::int64_t v) const { return met_[static_cast<std::size_t>(v)] != 0; }

  std::int64_t from(std::int64_t start) {
    queue_.assign(1, start);
    met_[static_cast<std::size_t>(start)] = 1;
    // NOLINTNEXTLINE(modernize-loop-convert): the queue grows meanwhile
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (++looked_ % 65536 == 0 && stop_.stop_requested())
        throw cancelled_error("verify_components: stopped");
      const std::int64_t u = queue_[i];
      if (labels_[static_cast<std::size_t>(u)] != start) return u;
      meet(out_.row(u));
      if (!symmetric_) meet(in_.row(u));
    }
    return -1;
  }

 private:
  template <class Row>
  void meet(const Row& row) {
    for (const auto v : row) {
      if (met_[static_cast<std::size_t>(v)] != 0) continue;
      met_[static_cast<std::size_t>(v)] = 1;
      queue_.push_back(v);
    }
  }

  const View &out_, &in_;
  bool symmetric_;
  const shared_array<Id>& labels_;
  const std::stop_token& stop_;
  std::vector<char> met_;
  std::vector<std::int64_t> queue_;
  std::size_t looked_ = 0;
};

}  // namespace

verification verify_components(const graph& g, const label_array& labels,
                               const std::stop_token& stop) {
  const graph reversed = g.transposed(stop);
  const std::int64_t n = g.vertices();
  const auto name = [&](std::int64_t v) { return std::to_string(g.names.name(v)); };
  return std::visit(
      [&](const auto& l) -> verification {
        if (static_cast<std::int64_t>(l.size()) != n)
          return {false,
                  "labels need one entry for each of the " + std::to_string(n) + " vertices"};
        return g.visit([&](const auto& out) -> verification {
          using view = std::decay_t<decltype(out)>;
          const view in = reversed.visit([](const auto& rows) {
            if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, view>)
              return rows;
            else
              return view();
          });
          search s(out, in, g.symmetric, l, stop);
          for (std::int64_t v = 0; v < n; ++v) {
            if (s.met(v)) continue;
            const std::int64_t wrong = s.from(v);
            if (wrong < 0) continue;
            return {false, "vertex " + name(wrong) + " has the label " +
                               std::to_string(l[static_cast<std::size_t>(wrong)]) +
                               ", but vertex " + name(v) + " (index " + std::to_string(v) +
                               ") is the smallest of its component"};
          }
          return {};
        });
      },
      labels);
}

}  // namespace gossamer
