// Fuzzes the reader of partition files.
#include "checks.hpp"
#include "gossamer/base/error.hpp"
#include "graph/io/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  read_options options;
  options.threads = 1;
  options.memory_limit = 1 << 20;
  const io::read_context context("fuzz", options);
  try {
    io::text_stream in(io::memory_source({reinterpret_cast<const char*>(data), size}), context,
                       1 << 12);
    const int parts = size % 5;
    for (auto p : io::read_partition_text(in, 8, parts))
      fuzz::expect(p >= 0 && (parts == 0 || p < parts), "a part that is none");
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
