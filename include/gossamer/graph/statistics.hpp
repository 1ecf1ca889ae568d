// Statistics: what a graph looks like, counted exactly in one call.
//
// Every number is a property of the graph: it depends neither on the number of threads nor on the
// order of the rows. Words used: an arc is a stored entry (u,v); a self-loop is an arc (v,v); the
// undirected simple graph has the edge {u,v}, u != v, when (u,v) or (v,u) is stored at least once.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// What to count beside the plain numbers.
struct statistics_options {
  int threads = 0;         ///< 0 = all cores this process may use; never changes a number
  bool strong = true;      ///< strongly connected components (a sequential search, O(n + m))
  bool triangles = false;  ///< triangles; takes an oriented copy of the undirected simple graph
  std::stop_token stop;    ///< cancelled_error soon after a stop is requested
};

/// The degree that `percent` per cent of the vertices do not exceed (nearest rank).
struct degree_percentile {
  double percent = 0;
  std::int64_t degree = 0;
};

/// Components of one kind.
struct component_counts {
  std::int64_t count = 0;
  std::int64_t largest = 0;  ///< vertices of the largest one
};

/// Weights of the arcs. minimum and maximum leave NaNs out, and are 0 when nothing else is there.
struct weight_statistics {
  std::string kind = "none";    ///< "none", "int32", "float32", "float64"
  std::string source = "none";  ///< graph::weight_source: where they come from
  double minimum = 0;
  double maximum = 0;
  std::int64_t zeros = 0;      ///< +0 and -0
  std::int64_t negatives = 0;  ///< below 0
  std::int64_t nans = 0;
};

/// What compute_statistics() returns.
struct graph_statistics {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;              ///< stored arcs
  std::int64_t self_loops = 0;        ///< arcs (v,v), parallel ones included
  std::int64_t parallel_arcs = 0;     ///< arcs beyond the first of their (u,v)
  std::int64_t undirected_edges = 0;  ///< edges of the undirected simple graph
  std::int64_t mutual_edges = 0;      ///< those of them that are stored in both directions
  bool symmetric = false;  ///< (u,v) is stored as often as (v,u), weights alike (is_symmetric())

  std::int64_t minimum_degree = 0;  ///< of the stored rows (out-degree), self-loops count once
  std::int64_t maximum_degree = 0;
  double mean_degree = 0;
  std::vector<degree_percentile> percentiles;  ///< 50, 90, 99, 99.9; empty without vertices
  /// degree_histogram[0]: vertices of degree 0; [k]: of degree in [2^(k-1), 2^k). Ends with the bin
  /// of maximum_degree; empty without vertices.
  std::vector<std::int64_t> degree_histogram;
  /// Vertices without an arc to or from another vertex; a self-loop connects nothing.
  std::int64_t isolated_vertices = 0;

  component_counts weak;                   ///< directions ignored
  std::optional<component_counts> strong;  ///< when asked for
  std::optional<std::int64_t> triangles;   ///< of the undirected simple graph, when asked for
  weight_statistics weights;
};

/// Counts. O(n + m log d) time for rows of at most d entries and O(n) memory beside the graph
/// (about 24 bytes a vertex). Unsorted rows are sorted in a copy of `indices`; triangles cost one
/// more entry per undirected edge and O(m^1.5) time (Chiba and Nishizeki 1985).
graph_statistics compute_statistics(const graph& g, const statistics_options& options = {});

}  // namespace gossamer
