// Writing Gossamer's own binary; the layout is in gossamer_format.hpp.
#include "graph/io/gossamer_format.hpp"
#include "graph/io/writers.hpp"

namespace gossamer::io {

void write_gossamer(const graph& g, output_file& out) {
  require(g.sorted, "write_graph: a Gossamer binary needs sorted rows");
  gsr_header h{};
  std::memcpy(h.magic, gsr_magic, sizeof(gsr_magic));
  h.byte_order = gsr_byte_order;
  h.version = gsr_version;
  h.vertices = g.vertices();
  h.arcs = g.arcs();
  h.id_bytes = static_cast<std::uint32_t>(g.id_width());
  h.weight_type = static_cast<std::uint32_t>(g.weights.index());
  h.flags = g.symmetric ? std::uint32_t{gsr_symmetric} : 0u;
  h.names_base = g.names.base;

  out.value(h);
  auto section = [&](gsr_section s, const void* data, std::size_t bytes) {
    out.zeros((gsr_alignment - out.position() % gsr_alignment) % gsr_alignment);
    h.sections[s] = {out.position(), static_cast<std::int64_t>(bytes),
                     block_hash({static_cast<const char*>(data), bytes}, [&out] { out.check(); })};
    out.write(data, bytes);
  };
  auto array = [&](gsr_section s, const auto& a) {
    section(s, a.data(), a.size() * sizeof(*a.data()));
  };
  array(gsr_offsets, g.offsets);
  std::visit([&](const auto& ids) { array(gsr_columns, ids); }, g.indices);
  std::visit(
      [&](const auto& w) {
        if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
          section(gsr_weights, nullptr, 0);
        else
          array(gsr_weights, w);
      },
      g.weights);
  array(gsr_names, g.names.map);
  // One line each; line ends inside would split them.
  std::string text;
  auto line = [&text](std::string s) {
    for (char& c : s)
      if (c == '\n') c = ' ';
    text += s + '\n';
  };
  line(g.weight_source);
  for (const auto& step : g.steps) line(step);
  section(gsr_text, text.data(), text.size());
  h.file_bytes = out.position();
  h.header_hash = gsr_header_hash(h);
  out.patch(0, &h, sizeof(h));
}

}  // namespace gossamer::io
