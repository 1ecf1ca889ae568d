// One fuzzer per reader: any bytes must give a valid graph or a gossamer::error, in bounded memory.
//
// GOSSAMER_FUZZ_FORMAT is the reader's name ("auto" fuzzes sniffing and the decompressors). Linked
// with a file of structure/, the same reader gets files whose frame and checksums are right.
#include <span>

#include "checks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/io.hpp"

namespace {

// Only "auto" spends its executions on the decompressors; the readers behind them see every byte
// of theirs, and far more executions a second.
bool compressed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\xfd\x37\x7a\x58\x5a") ||
         bytes.starts_with("\x28\xb5\x2f\xfd");
}

constexpr int not_for_the_corpus = -1;  // libFuzzer's meaning of the value

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  static const file_format format = format_from_name(GOSSAMER_FUZZ_FORMAT);
  const std::string_view bytes = fuzz::text_of(data, size);
  if (format != file_format::automatic && compressed(bytes)) return not_for_the_corpus;
  read_options options;
  options.format = format;
  options.threads = 1;
  // Small, so that a header with a huge n is refused instead of being obeyed.
  options.memory_limit = 1 << 20;
  if (size > 0) options.build.symmetrize = data[size - 1] % 2 == 1;
  try {
    const graph g = read_graph(std::as_bytes(std::span(data, size)), "fuzz", options);
    fuzz::expect(g.vertices() > 0, "a graph without vertices");
    g.validate();
  } catch (const input_error& e) {
    fuzz::check_message(e.what());
    fuzz::expect(std::string_view(e.what()).starts_with("fuzz:"), "no file named", e.what());
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
