// Writing Galois .gr: version 1, or 2 when the graph's ids have 64 bits. The layout is in
// galois.cpp.
#include <array>
#include <charconv>

#include "gossamer/graph/advice.hpp"
#include "graph/io/writers.hpp"

namespace gossamer::io {

std::string write_galois(const graph& g, output_file& out) {
  const std::uint64_t version = g.id_width() == 8 ? 2 : 1;
  const int kind = static_cast<int>(g.weights.index());
  out.value<std::uint64_t>(version);
  out.value<std::uint64_t>(kind == 0 ? 0 : kind == 3 ? 8 : 4);
  out.value<std::int64_t>(g.vertices());
  out.value<std::int64_t>(g.arcs());
  out.array(std::span<const edge_offset>(g.offsets.span().subspan(1)));
  g.visit([&](const auto& rows) { out.array(rows.indices); });
  if (version == 1 && g.arcs() % 2 == 1) out.value<std::uint32_t>(0);
  std::visit(
      [&](const auto& w) {
        using array = std::decay_t<decltype(w)>;
        if constexpr (!std::is_same_v<array, std::monostate>)
          out.write(w.data(), w.size() * sizeof(w[0]));
      },
      g.weights);
  // Readers take 4 bytes for int32 unless told; only floats need telling.
  std::string settings;
  if (kind == 2) settings = "edge_data = float32\n";
  if (kind == 3) settings = "edge_data = float64\n";
  if (const auto delta = advised_delta(g)) {
    std::array<char, 64> digits{};  // the shortest that read back as this number
    const auto end = std::to_chars(digits.begin(), digits.end(), *delta).ptr;
    settings += "prio_delta = " + std::string(digits.begin(), end) + "\n";
  }
  return settings;
}

}  // namespace gossamer::io
