// Gossamer's memory-mapped binary (.gsr): layout.
//
// A 256-byte header, then the sections, each starting on a multiple of 64 bytes with zeros between
// them. Numbers are in the writer's byte order, which the byte-order mark shows; a reader of the
// other order refuses. The header ends with the block_hash of its first 248 bytes, each section has
// its own block_hash in the table. Sections: offsets (n + 1 x i64), columns (m x id width), weights
// (none or m x weight type), names (none or n x i64), text (weight source, then the steps, each
// ended by '\n').
//
// Checksums find accidents, and who forges a file makes them anew. So a reader checks offsets,
// columns and weights beside them, and the flag that says that the graph is symmetric: by one pass
// over the arcs, which takes no memory (listed_both_ways.hpp). A flag that is not set is believed:
// it costs time alone. Who asks for no verification (read_options::verify_data) believes the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "graph/io/block_hash.hpp"

namespace gossamer::io {

// As in PNG: a high bit, line ends and a ^Z show files mangled by a text-mode transfer.
constexpr char gsr_magic[8] = {'\x89', 'G', 'S', 'R', '\r', '\n', '\x1a', '\n'};
constexpr std::uint32_t gsr_byte_order = 0x01020304, gsr_version = 1;
constexpr std::int64_t gsr_alignment = 64;

enum gsr_section { gsr_offsets, gsr_columns, gsr_weights, gsr_names, gsr_text, gsr_sections };
enum gsr_flags : std::uint32_t { gsr_symmetric = 1 };

struct gsr_header {
  char magic[8];
  std::uint32_t byte_order, version;
  std::int64_t file_bytes, vertices, arcs;
  std::uint32_t id_bytes;
  std::uint32_t weight_type;  ///< 0 none, 1 int32, 2 float32, 3 float64
  std::uint32_t flags, reserved;
  std::int64_t names_base;
  struct section {
    std::int64_t offset, bytes;
    std::uint64_t hash;
  } sections[gsr_sections];
  char zero[64];
  std::uint64_t header_hash;
};
static_assert(sizeof(gsr_header) == 256);

inline std::uint64_t gsr_header_hash(const gsr_header& h) {
  return block_hash({reinterpret_cast<const char*>(&h), offsetof(gsr_header, header_hash)});
}

}  // namespace gossamer::io
