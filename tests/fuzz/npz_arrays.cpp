// Fuzzes .npz behind its checksums: the input is cut into arrays, which are put into a well-formed
// archive. Each array: one byte (which name), two bytes (length), the .npy contents.
#include <cstring>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/io.hpp"
#include "graph/io/zip_archive.hpp"

namespace {

constexpr const char* names[] = {"indptr", "indices", "data",    "format",        "shape",
                                 "row",    "col",     "weights", "gossamer_base", "gossamer_map"};

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void fields(std::string& out, std::uint32_t crc, std::size_t bytes, std::size_t name) {
  put<std::uint16_t>(out, 20);
  put<std::uint16_t>(out, 0);
  put<std::uint16_t>(out, 0);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, crc);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(bytes));
  put<std::uint32_t>(out, static_cast<std::uint32_t>(bytes));
  put<std::uint16_t>(out, static_cast<std::uint16_t>(name));
  put<std::uint16_t>(out, 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  std::string archive, directory;
  std::uint16_t members = 0;
  for (std::size_t at = 0; at + 3 <= size && members < 16; ++members) {
    const std::string name = std::string(names[data[at] % std::size(names)]) + ".npy";
    const std::size_t length =
        std::min<std::size_t>(data[at + 1] + 256u * data[at + 2], size - at - 3);
    const std::string content(reinterpret_cast<const char*>(data) + at + 3, length);
    at += 3 + length;
    const std::uint32_t crc = io::zip_crc(0, content);
    put<std::uint32_t>(directory, 0x02014b50);
    put<std::uint16_t>(directory, 20);
    fields(directory, crc, length, name.size());
    directory.append(10, '\0');
    put<std::uint32_t>(directory, static_cast<std::uint32_t>(archive.size()));
    directory += name;
    put<std::uint32_t>(archive, 0x04034b50);
    fields(archive, crc, length, name.size());
    archive += name + content;
  }
  const std::size_t start = archive.size();
  archive += directory;
  put<std::uint32_t>(archive, 0x06054b50);
  put<std::uint32_t>(archive, 0);
  put<std::uint16_t>(archive, members);
  put<std::uint16_t>(archive, members);
  put<std::uint32_t>(archive, static_cast<std::uint32_t>(directory.size()));
  put<std::uint32_t>(archive, static_cast<std::uint32_t>(start));
  put<std::uint16_t>(archive, 0);

  read_options options;
  options.format = file_format::npz;
  options.threads = 1;
  options.memory_limit = 1 << 20;
  try {
    read_graph(std::as_bytes(std::span(archive)), "fuzz", options).validate();
  } catch (const error&) {
  }
  return 0;
}
