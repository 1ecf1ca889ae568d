// A file, or bytes in memory, that is opened as often as asked: once to see what it is, once to
// read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "graph/io/byte_source.hpp"
#include "graph/io/image.hpp"

namespace gossamer::io {

struct input {
  std::function<std::unique_ptr<byte_source>(const read_context&)> open;
  std::function<byte_image(const read_context&)> image;
};

/// `what` is said to be read from files, of a path that names none.
inline input file_input(const std::string& path, const std::string& what = "a graph") {
  return {
      [=](const read_context& c) { return decompressing(file_source(path, what), path, c.limit); },
      [path](const read_context& c) { return load_image(path, c); }};
}

inline input memory_input(std::span<const std::byte> bytes, const std::string& name) {
  const std::span<const char> chars(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {[=](const read_context& c) { return decompressing(memory_source(chars), name, c.limit); },
          [=](const read_context& c) { return load_image(chars, c); }};
}

}  // namespace gossamer::io
