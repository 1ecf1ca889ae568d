// The list of formats and their names.
#include <array>

#include "graph/io/readers.hpp"

namespace gossamer {
namespace {

constexpr std::array<format_info, 11> all_formats{{
    {file_format::matrix_market, "mtx", "Matrix Market", ".mtx", true, true},
    {file_format::edge_list, "edges", "SNAP edge list", ".txt .el .wel .edges .tsv", true, false},
    {file_format::dimacs, "dimacs", "DIMACS-9 shortest paths", ".gr", true, false},
    {file_format::galois, "galois", "Galois binary CSR", ".gr .vgr .cgr", true, true},
    {file_format::metis, "metis", "METIS graph", ".graph .metis", true, false},
    {file_format::gapbs, "sg", "GAPBS serialised graph", ".sg", true, false},
    {file_format::gapbs_weighted, "wsg", "GAPBS serialised weighted graph", ".wsg", true, false},
    {file_format::webgraph, "webgraph", "WebGraph ASCII", ".graph-txt", true, false},
    {file_format::graph500, "graph500", "Graph500 packed edges", ".packed .g500", true, false},
    {file_format::npz, "npz", "NumPy/SciPy sparse matrix", ".npz", true, true},
    {file_format::gossamer, "gsr", "Gossamer binary", ".gsr", true, true},
}};

}  // namespace

std::span<const format_info> formats() {
  return all_formats;
}

std::string_view format_name(file_format format) {
  for (const auto& f : all_formats)
    if (f.format == format) return f.name;
  return "auto";
}

file_format format_from_name(std::string_view name) {
  if (name == "auto" || name.empty()) return file_format::automatic;
  std::string known = "auto";
  for (const auto& f : all_formats) {
    if (f.name == name) return f.format;
    known += ", " + std::string(f.name);
  }
  throw usage_error("unknown graph format '" + std::string(name) + "'; known are " + known);
}

namespace io {

bool is_text(file_format format) {
  return format == file_format::matrix_market || format == file_format::edge_list ||
         format == file_format::dimacs || format == file_format::metis ||
         format == file_format::webgraph;
}

}  // namespace io
}  // namespace gossamer
