// Writing Matrix Market: general or, when the graph is symmetric, only its lower triangle.
//
// Weights are written in the shortest decimals that read back to the same number. Vertices are
// their position plus one: an id map is not kept in this format.
#include <charconv>

#include "graph/io/writers.hpp"
#include "graph/parallel.hpp"

namespace gossamer::io {

void write_matrix_market(const graph& g, output_file& out) {
  // A symmetric Matrix Market file stores each pair once; parallel arcs are allowed by our reader
  // and come back as often as they were.
  const bool half = g.symmetric;
  const char* field = g.weights.index() == 0   ? "pattern"
                      : g.weights.index() == 1 ? "integer"
                                               : "real";
  std::string text = std::string("%%MatrixMarket matrix coordinate ") + field +
                     (half ? " symmetric\n" : " general\n");
  auto number = [&text](auto v) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), v).ptr;
    text.append(digits, end);
  };
  g.visit([&](const auto& rows) {
    std::int64_t entries = 0;
    detail::stop_watch watch(out.stop(), "writing");
    for (std::int64_t u = 0; u < rows.vertices(); ++u) {
      watch.step(g.degree(u) + 1);
      for (auto v : rows.row(u)) entries += !half || v <= u;
    }
    number(rows.vertices());
    text += ' ';
    number(rows.vertices());
    text += ' ';
    number(entries);
    text += '\n';
    for (std::int64_t u = 0; u < rows.vertices(); ++u) {
      for (std::int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; ++i) {
        if (half && rows.indices[i] > u) continue;
        number(u + 1);
        text += ' ';
        number(static_cast<std::int64_t>(rows.indices[i]) + 1);
        std::visit(
            [&](const auto& w) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, std::monostate>) {
                text += ' ';
                // A float goes out with the digits of its double: readers take doubles, and the
                // shortest digits of a float are another double.
                using wide = std::conditional_t<std::is_same_v<std::decay_t<decltype(w[0])>, float>,
                                                double, std::decay_t<decltype(w[0])>>;
                number(static_cast<wide>(w[static_cast<std::size_t>(i)]));
              }
            },
            g.weights);
        text += '\n';
        if (text.size() > 1 << 16) {
          out.write(text);
          text.clear();
        }
      }
    }
  });
  out.write(text);
}

}  // namespace gossamer::io
