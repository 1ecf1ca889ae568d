// Mutates Gossamer's binary by its header and its sections, with lengths and checksums made right.
#include "graph/io/gossamer_format.hpp"
#include "mutation.hpp"

namespace gossamer::fuzz {
namespace {

struct binary {
  io::gsr_header header{};
  std::string sections[io::gsr_sections];

  /// Two vertices and the arcs between them.
  static binary example() {
    binary made;
    made.header.vertices = made.header.arcs = 2;
    made.header.id_bytes = 4;
    for (const std::int64_t offset : {0, 1, 2}) put(made.sections[io::gsr_offsets], offset);
    for (const std::int32_t column : {1, 0}) put(made.sections[io::gsr_columns], column);
    made.sections[io::gsr_text] = "file\nread\n";
    return made;
  }

  bool decode(std::string_view bytes) {
    if (bytes.size() < sizeof(header)) return false;
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (std::memcmp(header.magic, io::gsr_magic, sizeof(io::gsr_magic)) != 0) return false;
    const auto size = static_cast<std::int64_t>(bytes.size());
    for (int s = 0; s < io::gsr_sections; ++s) {
      const auto& part = header.sections[s];
      if (part.offset < 0 || part.bytes < 0 || part.offset > size ||
          part.bytes > size - part.offset)
        return false;
      sections[s] =
          bytes.substr(static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.bytes));
    }
    return true;
  }

  [[nodiscard]] std::size_t width(int section) const {
    if (section == io::gsr_columns) return header.id_bytes == 8 ? 8 : 4;
    if (section == io::gsr_weights) return header.weight_type == 3 ? 8 : 4;
    return section == io::gsr_text ? 1 : 8;
  }

  /// What the header counts is what the sections hold.
  void fit() {
    auto& offsets = sections[io::gsr_offsets];
    offsets.resize(std::max<std::size_t>(offsets.size(), 8));
    header.vertices = static_cast<std::int64_t>(offsets.size() / 8) - 1;
    header.arcs =
        static_cast<std::int64_t>(sections[io::gsr_columns].size() / width(io::gsr_columns));
    auto& weights = sections[io::gsr_weights];
    if (header.weight_type == 0)
      weights.clear();
    else
      weights.resize(static_cast<std::size_t>(header.arcs) * width(io::gsr_weights));
    auto& map = sections[io::gsr_names];
    if (!map.empty()) map.resize(8 * static_cast<std::size_t>(header.vertices));
  }

  void add_arc(mutation& by) {
    auto &rows = sections[io::gsr_offsets], &columns = sections[io::gsr_columns];
    if (rows.size() < 16) return;
    const std::size_t n = rows.size() / 8 - 1, each = width(io::gsr_columns);
    const std::size_t from = by.below(n);
    std::uint64_t at = 0;
    for (std::size_t v = from + 1; v <= n; ++v) {
      std::uint64_t end = 0;
      std::memcpy(&end, rows.data() + 8 * v, 8);
      if (v == from + 1) at = end;
      ++end;
      std::memcpy(rows.data() + 8 * v, &end, 8);
    }
    const std::uint64_t to = by.below(n);
    columns.insert(std::min<std::uint64_t>(at, columns.size() / each) * each,
                   std::string(reinterpret_cast<const char*>(&to), each));
  }

  void mutate(mutation& by, std::size_t most) {
    switch (by.below(10)) {
      case 0:
        header.id_bytes = by.once_in(2) ? 8 : 4;
        return fit();
      case 1:
        header.weight_type = static_cast<std::uint32_t>(by.below(4));
        return fit();
      case 2:
        header.flags ^= by.once_in(4) ? 2u << by.below(31) : 1u;
        return;
      case 3:
        header.names_base = by.number(header.names_base);
        return;
      case 4: {
        auto& map = sections[io::gsr_names];
        map.resize(map.empty() ? sections[io::gsr_offsets].size() : 0);
        return fit();
      }
      case 5:
        by.bytes(sections[io::gsr_text], most / 2);
        return;
      case 6:
      case 7:
        add_arc(by);
        return fit();
      default: {
        const int s = static_cast<int>(by.below(io::gsr_sections));
        if (s == io::gsr_text || (sections[s].empty() && s != io::gsr_columns)) return;
        by.elements(sections[s], width(s), most / 2);
        return fit();
      }
    }
  }

  std::string encode(mutation& by) {
    using io::gsr_alignment;
    std::string out(sizeof(header), '\0');
    for (int s = 0; s < io::gsr_sections; ++s) {
      header.sections[s] = {static_cast<std::int64_t>(out.size()),
                            static_cast<std::int64_t>(sections[s].size()),
                            io::block_hash({sections[s].data(), sections[s].size()})};
      out += sections[s];
      out.resize((out.size() + gsr_alignment - 1) / gsr_alignment * gsr_alignment);
    }
    std::memcpy(header.magic, io::gsr_magic, sizeof(io::gsr_magic));
    header.byte_order = io::gsr_byte_order;
    header.version = io::gsr_version;
    header.file_bytes = static_cast<std::int64_t>(out.size());
    const bool wrong = by.once_in(8);
    if (wrong) {
      auto& part = header.sections[by.below(io::gsr_sections)];
      std::int64_t* const one[] = {&header.vertices, &header.arcs, &header.file_bytes, &part.offset,
                                   &part.bytes};
      auto& field = *one[by.below(std::size(one))];
      field = by.number(field);
      if (by.once_in(8)) ++header.version;
      if (by.once_in(8)) part.hash ^= 1;
    }
    header.header_hash = io::gsr_header_hash(header);
    if (wrong && by.once_in(8)) header.header_hash ^= 1;
    std::memcpy(out.data(), &header, sizeof(header));
    return out;
  }
};

}  // namespace
}  // namespace gossamer::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return gossamer::fuzz::mutate_as<gossamer::fuzz::binary>(data, size, most, seed);
}
