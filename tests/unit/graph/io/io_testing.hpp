// What the reader tests share: graphs as lists of arcs, reading from memory, caught messages.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "gossamer/graph/io.hpp"
#include "unit/base/scratch_folder.hpp"

namespace gossamer::io_testing {

/// The build option without which a sample of this name cannot be read; nullptr when it can be.
inline const char* missing_option(std::string_view name) {
  const bool deflated = name == "tiny-csr.npz" || name == "tiny-csc.npz";
  if ((name.ends_with(".gz") || deflated) && !GOSSAMER_TEST_ZLIB) return "-DGOSSAMER_ZLIB=ON";
  if (name.ends_with(".xz") && !GOSSAMER_TEST_LZMA) return "-DGOSSAMER_LZMA=ON";
  if (name.ends_with(".zst") && !GOSSAMER_TEST_ZSTD) return "-DGOSSAMER_ZSTD=ON";
  return nullptr;
}

/// "mtx, edges, …", as messages list them.
inline std::string format_names() {
  std::string names;
  for (const auto& f : formats()) names += (names.empty() ? "" : ", ") + std::string(f.name);
  return names;
}

/// (source, target, weight) in row order; weight 0 where there is none.
using arc_list = std::vector<std::tuple<std::int64_t, std::int64_t, double>>;

inline arc_list arcs_of(const graph& g) {
  arc_list out;
  g.visit([&](const auto& rows) {
    for (std::int64_t v = 0; v < rows.vertices(); ++v)
      for (std::int64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        double w = 0;
        std::visit(
            [&](const auto& a) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, std::monostate>)
                w = static_cast<double>(a[static_cast<std::size_t>(i)]);
            },
            g.weights);
        out.emplace_back(v, rows.indices[i], w);
      }
  });
  std::sort(out.begin(), out.end());
  return out;
}

inline graph read_text(const std::string& text, file_format format, read_options options = {}) {
  options.format = format;
  return read_graph(std::as_bytes(std::span(text)), "FILE", options);
}

/// The message of the input_error that reading throws; fails the test when it throws none.
inline std::string complaint(const std::string& text, file_format format,
                             read_options options = {}) {
  try {
    read_text(text, format, options);
  } catch (const input_error& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another error: " << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no error for: " << text.substr(0, 200);
  return {};
}

inline std::string data_file(const std::string& name) {
  return (GOSSAMER_TEST_DATA "/") + name;
}

}  // namespace gossamer::io_testing
