// write_graph: picks the writer.
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "gossamer/graph/io.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "graph/io/byte_source.hpp"
#include "graph/io/writers.hpp"

namespace gossamer {
namespace {

file_format format_by_suffix(const std::string& path) {
  if (io::without_compression_suffix(path) != path)
    throw usage_error(path + ": compressed files are read, not written; compress it afterwards");
  if (path.ends_with(".mtx")) return file_format::matrix_market;
  if (path.ends_with(".gr")) return file_format::galois;
  if (path.ends_with(".npz")) return file_format::npz;
  if (path.ends_with(".gsr")) return file_format::gossamer;
  throw usage_error(path + ": the suffix names no format that is written (.mtx, .gr, .npz, .gsr)");
}

}  // namespace

void write_graph(const graph& g, const std::string& path, file_format format,
                 const std::stop_token& stop) {
  require(g.vertices() > 0, "write_graph: the graph has no vertices");
  if (format == file_format::automatic) format = format_by_suffix(path);
  for (const auto& f : formats())
    if (f.format == format && !f.writes)
      throw usage_error(path + ": format '" + std::string(f.name) +
                        "' is read, not written (mtx, galois, npz and gsr are)");
  const graph_file read_from(g);
  constexpr std::string_view what = "graphs";
  output_file out(path, stop, what);
  std::string metadata;
  switch (format) {
    case file_format::matrix_market:
      io::write_matrix_market(g, out);
      break;
    case file_format::galois:
      metadata = io::write_galois(g, out);
      break;
    case file_format::npz:
      io::write_npz(g, out);
      break;
    default:
      io::write_gossamer(g, out);
      break;
  }
  read_from.check();  // what was written is what was read
  if (format != file_format::galois) return out.commit();
  // The settings belong to this graph: no other must ever be found beside them, nor this one beside
  // another's. So whenever the process ends, there are both, or none has its name.
  const std::string beside = path + ".metadata";
  if (metadata.empty() && ::access(beside.c_str(), F_OK) != 0) return out.commit();
  std::optional<output_file> text;
  if (!metadata.empty()) {
    text.emplace(beside, std::stop_token(), what);
    text->write(metadata);
    text->finish();
  }
  out.finish();  // not stopped from here on
  out.remove_replaced();
  if (text)
    text->commit();
  else
    std::remove(beside.c_str());
  out.commit();
}

}  // namespace gossamer
