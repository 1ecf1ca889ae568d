// Mutates Galois's binary (.gr) by its counts and its arrays, which fit each other afterwards.
#include "mutation.hpp"

namespace gossamer::fuzz {
namespace {

struct binary {
  std::uint64_t version = 1, edge_bytes = 4;
  std::string rows, columns, data;

  static binary example() {
    binary made;
    for (const std::uint64_t end : {1, 2}) put(made.rows, end);
    for (const std::uint32_t column : {1, 0}) put(made.columns, column);
    for (const std::uint32_t weight : {3, 4}) put(made.data, weight);
    return made;
  }

  [[nodiscard]] std::size_t width() const { return version == 1 ? 4 : 8; }
  [[nodiscard]] std::uint64_t arcs() const { return columns.size() / width(); }
  [[nodiscard]] std::size_t padding() const { return version == 1 && arcs() % 2 == 1 ? 4 : 0; }

  bool decode(std::string_view bytes) {
    taker in(bytes);
    version = in.take<std::uint64_t>();
    edge_bytes = in.take<std::uint64_t>();
    const auto n = in.take<std::uint64_t>(), m = in.take<std::uint64_t>();
    if (n > bytes.size() || m > bytes.size() || edge_bytes > 8) return false;
    rows = in.take_bytes(8 * n);
    columns = in.take_bytes(width() * m);
    if (edge_bytes > 0) in.take_bytes(padding());
    data = in.take_bytes(edge_bytes * m);
    return !in.failed;
  }

  void fit() {
    // Readers take data of 4 and of 8 bytes; other sizes are there to be refused.
    data.resize(arcs() * edge_bytes);
  }

  void add_arc(mutation& by) {
    const std::size_t n = rows.size() / 8;
    if (n == 0) return;
    const std::size_t from = by.below(n);
    std::uint64_t at = 0;
    for (std::size_t v = from; v < n; ++v) {
      std::uint64_t end = 0;
      std::memcpy(&end, rows.data() + 8 * v, 8);
      if (v == from) at = std::min(end, arcs());
      ++end;
      std::memcpy(rows.data() + 8 * v, &end, 8);
    }
    const std::uint64_t to = by.below(n);
    columns.insert(at * width(), std::string(reinterpret_cast<const char*>(&to), width()));
  }

  void mutate(mutation& by, std::size_t most) {
    switch (by.below(9)) {
      case 0: {
        const std::uint64_t count = arcs();
        version = by.once_in(6) ? static_cast<std::uint64_t>(by.number(1)) : 1 + by.below(2);
        columns.resize(count * width());
        return fit();
      }
      case 1: {
        constexpr std::uint64_t sizes[] = {0, 4, 8, 4, 8, 1, 2};
        edge_bytes = by.one_of(sizes);
        return fit();
      }
      case 2:
      case 3:
        add_arc(by);
        return fit();
      case 4:
        if (edge_bytes > 0) by.elements(data, edge_bytes, most / 3);
        return fit();
      case 5:
      case 6:
        by.elements(rows, 8, most / 3);
        return;
      default:
        by.elements(columns, width(), most / 3);
        return fit();
    }
  }

  std::string encode(mutation& by) {
    std::uint64_t fields[] = {version, edge_bytes, rows.size() / 8, arcs()};
    if (by.once_in(8)) {
      auto& one = fields[by.below(std::size(fields))];
      one = static_cast<std::uint64_t>(by.number(static_cast<std::int64_t>(one)));
    }
    std::string out;
    for (const std::uint64_t field : fields) put(out, field);
    out += rows + columns;
    if (edge_bytes > 0 || by.once_in(2)) out.append(padding(), '\0');
    out += data;
    if (by.once_in(20)) out.resize(out.size() - std::min<std::size_t>(out.size(), by.below(9)));
    return out;
  }
};

}  // namespace
}  // namespace gossamer::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return gossamer::fuzz::mutate_as<gossamer::fuzz::binary>(data, size, most, seed);
}
