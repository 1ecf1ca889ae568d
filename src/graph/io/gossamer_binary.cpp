// Reading Gossamer's own binary: arrays are used where they are mapped, nothing is copied.
#include <cmath>
#include <cstddef>

#include "graph/io/csr_arrays.hpp"
#include "graph/io/gossamer_format.hpp"
#include "graph/io/readers.hpp"
#include "graph/listed_both_ways.hpp"

namespace gossamer::io {
namespace {

const char* section_names[gsr_sections] = {"row offsets", "columns", "weights", "vertex names",
                                           "text"};

gsr_header check_header(binary_reader& in, const byte_image& image) {
  const auto h = in.take<gsr_header>("header");
  if (std::memcmp(h.magic, gsr_magic, sizeof(gsr_magic)) != 0)
    in.fail_at(0, "not a Gossamer binary graph");
  if (h.byte_order == __builtin_bswap32(gsr_byte_order))
    in.fail_at(8, "the byte order is that of another kind of machine");
  if (h.byte_order != gsr_byte_order) in.fail_at(8, "the byte-order mark is damaged");
  if (h.version != gsr_version)
    in.fail_at(12, "version " + std::to_string(h.version) + " of the format is not read (only " +
                       std::to_string(gsr_version) + ")");
  if (h.header_hash != gsr_header_hash(h))
    in.fail_at(offsetof(gsr_header, header_hash), "the checksum of the header is wrong");
  if (h.file_bytes != image.size())
    in.fail_at(image.size(), "the header says " + std::to_string(h.file_bytes) +
                                 " bytes, the file has " + std::to_string(image.size()));
  if (h.vertices < 0 || h.arcs < 0 || (h.id_bytes != 4 && h.id_bytes != 8) || h.weight_type > 3 ||
      (h.id_bytes == 4 && h.vertices > INT32_MAX))
    in.fail_at(24, "the header contradicts itself");
  if (h.vertices == 0) in.fail_at(24, "the graph has no vertices");
  const std::int64_t each[gsr_sections] = {8, h.id_bytes,
                                           h.weight_type == 0   ? 0
                                           : h.weight_type == 3 ? 8
                                                                : 4,
                                           8, 1};
  const std::int64_t counts[gsr_sections] = {sat_add(h.vertices, 1), h.arcs, h.arcs,
                                             h.sections[gsr_names].bytes == 0 ? 0 : h.vertices,
                                             h.sections[gsr_text].bytes};
  for (int s = 0; s < gsr_sections; ++s) {
    const auto& part = h.sections[s];
    const auto at =
        static_cast<std::int64_t>(offsetof(gsr_header, sections)) + std::int64_t{24} * s;
    if (part.offset < 0 || part.bytes < 0 || part.offset % gsr_alignment != 0 ||
        part.offset > image.size() || part.bytes > image.size() - part.offset ||
        part.bytes != sat_mul(counts[s], each[s]))
      in.fail_at(at,
                 std::string("the section of the ") + section_names[s] + " does not fit the file");
  }
  return h;
}

}  // namespace

graph read_gossamer(const byte_image& image, const read_context& context) {
  binary_reader in(image, context);
  const gsr_header h = check_header(in, image);
  const bool copied = reinterpret_cast<std::uintptr_t>(image.bytes.data()) % 64 != 0;
  const std::int64_t taken = image.held || copied ? image.size() : 0;
  const int weight_bytes = h.weight_type == 3 ? 8 : h.weight_type == 0 ? 0 : 4;
  const bool symmetric = (h.flags & gsr_symmetric) != 0;
  read_plan plan = context.csr_plan(h.vertices, h.arcs, weight_bytes, 0, symmetric);
  // A mapped file takes no memory of its own: its pages can be dropped and read again.
  std::erase_if(plan.items, [](const auto& item) { return item.what != "rebuilding"; });
  plan.items.insert(plan.items.begin(), {taken > 0 ? "file contents" : "mapped file", taken});
  context.settle(plan);

  byte_image aligned = image;
  if (copied) {
    shared_array<char> whole(image.bytes.size());
    std::memcpy(whole.data(), image.bytes.data(), image.bytes.size());
    aligned = {{whole.data(), whole.size()}, whole.owner(), true};
  }
  auto bytes = [&](int s) {
    return aligned.bytes.subspan(static_cast<std::size_t>(h.sections[s].offset),
                                 static_cast<std::size_t>(h.sections[s].bytes));
  };
  if (context.options.verify_data) {
    for (int s = 0; s < gsr_sections; ++s) {
      context.tick(h.sections[s].offset, image.size(), 0);
      if (block_hash(bytes(s), [&] { context.tick(h.sections[s].offset, image.size(), 0); }) !=
          h.sections[s].hash)
        in.fail_at(h.sections[s].offset,
                   std::string("the checksum of the ") + section_names[s] + " is wrong");
    }
  }
  auto array = [&]<class T>(int s, T) {
    // The graph never writes to its arrays; the const is lost only because shared_array is one
    // type for owned and borrowed memory.
    auto* p = reinterpret_cast<T*>(const_cast<char*>(bytes(s).data()));
    return shared_array<T>(p, bytes(s).size() / sizeof(T), aligned.owner);
  };
  graph g;
  g.offsets = array(gsr_offsets, edge_offset{});
  if (h.id_bytes == 4)
    g.indices = array(gsr_columns, vertex32{});
  else
    g.indices = array(gsr_columns, vertex64{});
  if (h.weight_type == 1) g.weights = array(gsr_weights, std::int32_t{});
  if (h.weight_type == 2) g.weights = array(gsr_weights, float{});
  if (h.weight_type == 3) g.weights = array(gsr_weights, double{});
  g.names.base = h.names_base;
  if (h.sections[gsr_names].bytes > 0) g.names.map = array(gsr_names, std::int64_t{});

  if (context.options.verify_data) {
    std::int64_t before = 0;
    for (std::int64_t v = 0; v <= h.vertices; ++v) {
      const std::int64_t offset = g.offsets[static_cast<std::size_t>(v)];
      if (offset < before || offset > h.arcs || (v == 0 && offset != 0))
        in.fail_at(h.sections[gsr_offsets].offset + 8 * v,
                   "row offset of vertex " + std::to_string(v) + " is out of order");
      before = offset;
    }
    if (before != h.arcs)
      in.fail_at(h.sections[gsr_offsets].offset + 8 * h.vertices,
                 "the rows hold " + std::to_string(before) + " arcs, the header says " +
                     std::to_string(h.arcs));
    g.visit([&](const auto& rows) {
      auto watch = context.watch();
      for (std::int64_t v = 0; v < h.vertices; ++v) {
        watch.step(rows.offsets[v + 1] - rows.offsets[v] + 1);
        std::int64_t last = 0;
        for (std::int64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
          const std::int64_t u = rows.indices[i];
          if (u < last || u >= h.vertices)
            in.fail_at(h.sections[gsr_columns].offset + h.id_bytes * i,
                       "column " + std::to_string(u) + " is out of range or out of order");
          last = u;
        }
      }
    });
    auto finite = [&](const auto& w, std::int64_t each) {
      for (std::size_t i = 0; i < w.size(); ++i)
        if (!std::isfinite(w[i]))
          in.fail_at(h.sections[gsr_weights].offset + each * static_cast<std::int64_t>(i),
                     "weight is not a finite number (NaN or infinite)");
    };
    if (h.weight_type == 2) finite(std::get<shared_array<float>>(g.weights), 4);
    if (h.weight_type == 3) finite(std::get<shared_array<double>>(g.weights), 8);
  }

  const auto text = bytes(gsr_text);
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  lines.pop_back();
  if (g.weighted()) {
    // Where weights came from in the first place is worth more than that they were in a file.
    const bool told = !lines.empty() && lines[0].starts_with("generated");
    g.weight_source = told ? "file, " + lines[0] : "file";
  }
  if (!lines.empty()) g.steps.assign(lines.begin() + 1, lines.end());
  g.name = context.name;
  g.mapped = taken == 0;
  if (context.options.verify_data && symmetric && !detail::listed_both_ways(g, context.build))
    in.fail_at(offsetof(gsr_header, flags),
               "the header says that the graph is symmetric, but some arc has no mirror");
  if (context.rebuilds()) return apply_build(std::move(g), context);
  g.symmetric = symmetric;
  return g;
}

}  // namespace gossamer::io
