// A graph that is made of another one: what it is called, and where it and its weights come from.
#pragma once

#include "gossamer/graph/csr.hpp"

namespace gossamer::detail {

/// Without rows; symmetric if `g` is.
inline graph derived_from(const graph& g) {
  graph out;
  out.name = g.name;
  out.format = g.format;
  out.symmetric = g.symmetric;
  out.weight_source = g.weight_source;
  out.steps = g.steps;
  return out;
}

}  // namespace gossamer::detail
