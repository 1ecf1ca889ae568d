// read_graph: opens, sniffs, and hands over to the reader of the format.
#include <algorithm>

#include "graph/io/input.hpp"
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer {
namespace {

using namespace io;

constexpr std::size_t sample_bytes = 64 << 10;

/// Text is complained about at its first line, anything else at its first byte.
[[noreturn]] void fail_unknown(const std::string& name, std::string_view head) {
  std::string names;
  for (const auto& f : formats()) names += (names.empty() ? "" : ", ") + std::string(f.name);
  const bool text = std::none_of(head.begin(), head.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 9; });
  throw input_error(name + (text ? ":1: " : ": byte 0: ") +
                    "not a graph in a known format; name one if it is (" + names + ")" +
                    (text ? "; names need commas or tabs between them" : ""));
}

struct first_look {
  file_format format;
  std::int64_t window_bytes;  ///< that decompressing takes
};

first_look look_at(const input& in, const read_context& context) {
  const std::string& name = context.path;
  auto source = in.open(context);
  std::string head(sample_bytes, '\0');
  head.resize(source->read(head.data(), head.size()));
  if (head.empty()) throw input_error(name + ":1: the file is empty");
  const bool whole = head.size() < sample_bytes;
  const std::int64_t size = source->compressed()
                                ? (whole ? static_cast<std::int64_t>(head.size()) : -1)
                                : source->raw_size();
  const auto found = sniff(head, whole, size, name);
  if (!found) fail_unknown(name, head);
  return {*found, source->window_bytes()};
}

/// Of a file whose format is known.
std::int64_t window_bytes(const input& in, const read_context& context) {
  const auto source = in.open(context);
  char first;
  if (source->compressed()) source->read(&first, 1);
  return source->window_bytes();
}

graph read_as(const reader& how, const input& in, const read_context& context) {
  if (how.text != nullptr) {
    text_stream text(in.open(context), context, block_bytes(context));
    return how.text(text);
  }
  const byte_image image = in.image(context);
  if (image.bytes.empty()) fail_at_byte(context.path, 0, "the file is empty");
  graph g = how.image(image, context);
  check_mapped(image.owner);  // what was checked is what was read
  return g;
}

graph read_input(const input& in, const std::string& name, const read_options& options,
                 bool on_disk) {
  read_context context(name, options);
  context.on_disk = on_disk;
  const first_look seen = options.format == file_format::automatic
                              ? look_at(in, context)
                              : first_look{options.format, window_bytes(in, context)};
  const file_format format = seen.format;
  context.window_bytes = seen.window_bytes;
  require(!options.columns.any() || format == file_format::csv,
          name + ": " + std::string(format_name(format)) +
              " has no columns with names (CSV, TSV and Parquet have)");
  graph g = read_as(reader_of(format), in, context);
  g.format = format_name(format);
  return g;
}

}  // namespace

file_format sniff_format(const std::string& path) {
  return look_at(file_input(path), read_context(path, {})).format;
}

graph read_graph(const std::string& path, const read_options& options) {
  return read_input(file_input(path), path, options, true);
}

graph read_graph(std::span<const std::byte> bytes, const std::string& name,
                 const read_options& options) {
  return read_input(memory_input(bytes, name), name, options, false);
}

}  // namespace gossamer
