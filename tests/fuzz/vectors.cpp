// Fuzzes the reader of vectors (.npy, .npz, Matrix Market, text): any bytes must give numbers that
// are all there, or a gossamer::error that names the file, in bounded memory. Numbers that were
// read are the same again from the .npy that they make.
#include <algorithm>
#include <span>

#include "checks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/numbers.hpp"
#include "graph/io/npy_array.hpp"

namespace {

gossamer::number_array read(std::string_view bytes) {
  return gossamer::read_numbers(std::as_bytes(std::span(bytes)), "fuzz", "ranks", 1 << 20);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  number_array found;
  try {
    found = read(fuzz::text_of(data, size));
  } catch (const error& e) {
    fuzz::check_message(e.what());
    fuzz::expect(std::string_view(e.what()).starts_with("fuzz"), "no file named", e.what());
    return 0;
  }
  fuzz::expect(found.type.size() == 3, "a type of numbers", found.type);
  const auto bytes = static_cast<std::size_t>(found.type[2] - '0');
  fuzz::expect(found.bytes.size() == bytes * static_cast<std::size_t>(found.count), "numbers lack");
  const std::string npy = io::npy_header(found.type, {found.count}) +
                          std::string(found.bytes.begin(), found.bytes.end());
  try {
    const number_array again = read(npy);
    fuzz::expect(again.type == found.type && again.count == found.count &&
                     std::ranges::equal(again.bytes.span(), found.bytes.span()),
                 "other numbers the second time");
  } catch (const error& e) {
    fuzz::fail("numbers that cannot be read again", e.what());
  }
  return 0;
}
