// Text in blocks of whole lines, with exact line numbers, from a byte_source of any size.
//
// Only one block is in memory. A block ends with '\n' (one is added when the last line has none):
// that sentinel lets the tokenizer run without bounds checks. A block grows for a long line. Lines
// are at most 1 MiB long, except those wanted in pieces, which may be as long as the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gossamer/base/shared_array.hpp"
#include "graph/io/byte_source.hpp"
#include "graph/io/read_context.hpp"

namespace gossamer::io {

/// Bytes of a line that need not be wanted in pieces.
inline constexpr std::size_t longest_line = 1 << 20;
[[noreturn]] void fail_too_long(const read_context& context, std::int64_t line);

class text_stream {
 public:
  text_stream(std::unique_ptr<byte_source> source, const read_context& context,
              std::size_t block_bytes);

  /// The next line without its end ("\n" or "\r\n"); false at the end of the file. The view lives
  /// until the next call.
  bool next_line(std::string_view& line);
  /// Looks at the next line without consuming it.
  bool peek_line(std::string_view& line);
  /// All whole lines in the buffer, filled up first; empty at the end. Lines are counted by the
  /// caller with advance_lines().
  std::string_view next_block() { return next_block(false); }
  /// The same; of a line that does not fit the buffer comes what does, up to a blank that becomes
  /// its '\n': then cut() is true, and the next block begins with the rest.
  std::string_view next_piece() { return next_block(true); }
  [[nodiscard]] bool cut() const { return cut_; }
  void advance_lines(std::int64_t lines) { line_ += lines; }
  /// Number (from 1) of the line that next_line() or next_block() would start with.
  [[nodiscard]] std::int64_t next_line_number() const { return line_; }
  /// What is buffered, filled up first; nothing is consumed.
  std::string_view sample();
  /// The size of the whole text, as the file says or guessed from what was read so far; 0 = no
  /// idea.
  [[nodiscard]] std::int64_t estimated_text_bytes() const;
  /// For formats that say how much they hold, once all was read: input_error when the last line has
  /// no end, since its last number may be cut and nothing else would tell.
  void expect_ended() const;
  /// input_error at the line that next_line() returned last.
  [[noreturn]] void fail_here(const std::string& message) const;
  [[noreturn]] void fail_at(std::int64_t line, const std::string& message) const;

  [[nodiscard]] const byte_source& source() const { return *source_; }
  [[nodiscard]] const read_context& context() const { return context_; }
  [[nodiscard]] std::int64_t text_bytes() const { return consumed_; }

 private:
  bool fill(bool pieces = false);
  std::string_view next_block(bool pieces);
  std::unique_ptr<byte_source> source_;
  const read_context& context_;
  shared_array<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool ended_ = false, unended_line_ = false, cut_ = false;
  std::int64_t line_ = 1, consumed_ = 0;
};

}  // namespace gossamer::io
