// What tests of components on CPUs and on GPUs share: a serial search, and all that it says of a
// result.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gossamer/algorithm/components.hpp"

namespace gossamer::testing_components {

/// The smallest vertex of each vertex's component: repeated until no arc lowers a label.
inline std::vector<std::int64_t> serial_labels(const graph& g) {
  std::vector<std::int64_t> label(static_cast<std::size_t>(g.vertices()));
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<std::int64_t>(v);
  for (bool changed = true; changed;) {
    changed = false;
    g.visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < g.vertices(); ++u)
        for (const auto v : rows.row(u)) {
          auto &a = label[static_cast<std::size_t>(u)], &b = label[static_cast<std::size_t>(v)];
          if (a == b) continue;
          a = b = std::min(a, b);
          changed = true;
        }
    });
  }
  return label;
}

inline void expect_right(const graph& g, const components_result& result) {
  const auto want = serial_labels(g);
  std::map<std::int64_t, std::int64_t> sizes;
  for (const auto l : want) ++sizes[l];
  std::visit(
      [&](const auto& labels) {
        ASSERT_EQ(labels.size(), want.size());
        for (std::size_t v = 0; v < want.size(); ++v) ASSERT_EQ(labels[v], want[v]) << v;
      },
      result.labels.get());
  std::int64_t largest = 0, its = 0;
  for (const auto& [label, size] : sizes) {
    if (size <= largest) continue;
    largest = size;
    its = label;
  }
  EXPECT_EQ(result.count, static_cast<std::int64_t>(sizes.size()));
  EXPECT_EQ(result.largest, largest);
  EXPECT_EQ(result.largest_label, its);
  const auto verdict = verify_components(g, result.labels);
  ASSERT_TRUE(verdict.ok) << verdict.reason;
}

inline components_options with(const std::string& engine) {
  components_options options;
  options.engine = engine;
  return options;
}

}  // namespace gossamer::testing_components
