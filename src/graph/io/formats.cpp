// The list of formats: their names, and what reads each.
#include <algorithm>
#include <array>

#include "graph/io/readers.hpp"

namespace gossamer {
namespace io {
namespace {

constexpr std::array readers = {
    reader{{file_format::matrix_market, "mtx", "Matrix Market", ".mtx", true, true},
           read_matrix_market},
    reader{{file_format::edge_list, "edges", "SNAP edge list", ".txt .el .wel .edges", true, false},
           read_edge_list},
    reader{{file_format::csv, "csv", "CSV or TSV of edges", ".csv .tsv", true, false}, read_csv},
    reader{{file_format::dimacs, "dimacs", "DIMACS-9 shortest paths", ".gr", true, false},
           read_dimacs},
    reader{{file_format::galois, "galois", "Galois binary CSR", ".gr .vgr .cgr", true, true},
           read_galois},
    reader{{file_format::metis, "metis", "METIS graph", ".graph .metis", true, false}, read_metis},
    reader{{file_format::gapbs, "sg", "GAPBS serialised graph", ".sg", true, false}, read_gapbs},
    reader{{file_format::gapbs_weighted, "wsg", "GAPBS serialised weighted graph", ".wsg", true,
            false},
           read_weighted_gapbs},
    reader{{file_format::webgraph, "webgraph", "WebGraph ASCII", ".graph-txt", true, false},
           read_webgraph},
    reader{
        {file_format::graph500, "graph500", "Graph500 packed edges", ".packed .g500", true, false},
        read_graph500},
    reader{{file_format::npz, "npz", "NumPy/SciPy sparse matrix", ".npz", true, true}, read_npz},
    reader{{file_format::gossamer, "gsr", "Gossamer binary", ".gsr", true, true}, read_gossamer},
};

static_assert(
    readers.back().info.format == file_format::gossamer &&
        [] {
          for (std::size_t i = 0; i < readers.size(); ++i)
            if (readers[i].info.format != static_cast<file_format>(i + 1)) return false;
          return true;
        }(),
    "one for each format, in the order of file_format");

constexpr auto infos = [] {
  std::array<format_info, readers.size()> all{};
  std::transform(readers.begin(), readers.end(), all.begin(),
                 [](const reader& r) { return r.info; });
  return all;
}();

}  // namespace

const reader& reader_of(file_format format) {
  return readers[static_cast<std::size_t>(format) - 1];
}

}  // namespace io

std::span<const format_info> formats() {
  return io::infos;
}

std::string_view format_name(file_format format) {
  for (const auto& f : formats())
    if (f.format == format) return f.name;
  return "auto";
}

file_format format_from_name(std::string_view name) {
  if (name == "auto" || name.empty()) return file_format::automatic;
  std::string known = "auto";
  for (const auto& f : formats()) {
    if (f.name == name) return f.format;
    known += ", " + std::string(f.name);
  }
  throw usage_error("unknown graph format '" + std::string(name) + "'; known are " + known);
}

}  // namespace gossamer
