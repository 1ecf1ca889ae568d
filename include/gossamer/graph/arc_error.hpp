// The error that is about one arc, by the graph's names and by indices.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Input that is wrong at one arc. The text is "GRAPH: the arc SOURCE -> TARGET", and what is wrong
/// with it. Callers that have other names for vertices make a text of their own from the parts.
class arc_error : public input_error {
 public:
  /// `wrong` begins with a blank. The ends are indices.
  arc_error(const graph& g, std::int64_t source, std::int64_t target, const std::string& wrong,
            std::source_location where = std::source_location::current());
  /// Indices of the ends.
  [[nodiscard]] std::int64_t source() const noexcept { return source_; }
  [[nodiscard]] std::int64_t target() const noexcept { return target_; }
  /// The text up to the ends, and from there on.
  [[nodiscard]] const std::string& before() const noexcept { return before_; }
  [[nodiscard]] const std::string& after() const noexcept { return after_; }

 private:
  std::int64_t source_, target_;
  std::string before_, after_;
};

}  // namespace gossamer
