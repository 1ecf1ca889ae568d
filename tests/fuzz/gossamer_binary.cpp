// Fuzzes the Gossamer binary behind its checksums: they are made right first, so that mutations
// reach the checks of the structure.
#include <algorithm>
#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/io.hpp"
#include "graph/io/gossamer_format.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  using namespace gossamer::io;
  std::vector<char> bytes(data, data + size);
  if (size >= sizeof(gsr_header)) {
    gsr_header h;
    std::memcpy(&h, bytes.data(), sizeof(h));
    std::memcpy(h.magic, gsr_magic, sizeof(gsr_magic));
    h.byte_order = gsr_byte_order;
    h.version = gsr_version;
    h.file_bytes = static_cast<std::int64_t>(size);
    for (auto& s : h.sections)
      if (s.offset >= 0 && s.bytes >= 0 && s.offset <= h.file_bytes &&
          s.bytes <= h.file_bytes - s.offset)
        s.hash = block_hash({bytes.data() + s.offset, static_cast<std::size_t>(s.bytes)});
    h.header_hash = gsr_header_hash(h);
    std::memcpy(bytes.data(), &h, sizeof(h));
  }
  read_options options;
  options.format = file_format::gossamer;
  options.threads = 1;
  options.memory_limit = 1 << 20;
  try {
    const graph g = read_graph(std::as_bytes(std::span(bytes)), "fuzz", options);
    // `symmetric` is believed under a right checksum, so it is not part of what must hold here.
    graph plain = g;
    plain.symmetric = false;
    plain.validate();
  } catch (const error&) {
  }
  return 0;
}
