// What an error about an arc calls its ends.
#include "gossamer/graph/arc_error.hpp"

namespace gossamer {
namespace {

std::string name_of(const graph& g, std::int64_t vertex) {
  const std::int64_t name = g.names.name(vertex);
  if (g.names.texts == nullptr) return std::to_string(name);
  return "'" + (*g.names.texts)[static_cast<std::size_t>(name)] + "'";
}

std::string begin_of(const graph& g) {
  return g.name + ": the arc ";
}

}  // namespace

arc_error::arc_error(const graph& g, std::int64_t source, std::int64_t target,
                     const std::string& wrong, std::source_location where)
    : input_error(begin_of(g) + name_of(g, source) + " -> " + name_of(g, target) + wrong, where),
      source_(source),
      target_(target),
      before_(begin_of(g)),
      after_(wrong) {}

}  // namespace gossamer
