// Fuzzes the reader of vectors: any bytes must give numbers that are all there, or a
// gossamer::error of one line that names the file, in bounded memory.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/numbers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  try {
    const number_array found =
        read_numbers(std::as_bytes(std::span(data, size)), "fuzz", "ranks", 1 << 20);
    if (found.type.size() != 3) __builtin_trap();
    const auto bytes = static_cast<std::size_t>(found.type[2] - '0');
    if (found.bytes.size() != bytes * static_cast<std::size_t>(found.count)) __builtin_trap();
    // Every byte is read, so that the sanitizer looks at it.
    for (const char c : found.bytes) [[maybe_unused]] volatile char seen = c;
  } catch (const error& e) {
    const std::string_view text = e.what();
    if (text.find("fuzz") == text.npos) __builtin_trap();
    for (const char c : text)
      if (c < ' ' || c > '~') __builtin_trap();
  }
  return 0;
}
