// Buffering of text_stream.
#include "graph/io/text_stream.hpp"

#include <algorithm>
#include <cstring>

#include "gossamer/base/mapped_block.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer::io {

void fail_too_long(const read_context& context, std::int64_t line) {
  fail_at_line(context.path, line,
               "the line is longer than " +
                   configuration::format_bytes(static_cast<std::int64_t>(longest_line)));
}

text_stream::text_stream(std::unique_ptr<byte_source> source, const read_context& context,
                         std::size_t block_bytes)
    : source_(std::move(source)), context_(context) {
  // Small inputs get small buffers: opening many tiny files (and fuzzing) stays cheap.
  const auto size = static_cast<std::size_t>(source_->raw_size());
  if (size > 0 && !source_->compressed()) block_bytes = std::min(block_bytes, size + 64);
  buffer_ = mapped_array<char>(std::max<std::size_t>(block_bytes, 256));
}

// Makes room and reads on; false when nothing more comes.
bool text_stream::fill(bool pieces) {
  if (ended_) return false;
  detail::check_stop(context_.options.stop, context_.path.c_str());
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + 1 >= buffer_.size()) {
    // A full buffer grows for a line that is longer than it, not for the lines behind those in it.
    if (std::memchr(buffer_.data(), '\n', end_) != nullptr) return false;
    if (pieces && std::any_of(buffer_.data(), buffer_.data() + end_, is_blank)) return false;
    if (end_ > longest_line) fail_too_long(context_, line_);
    auto larger = mapped_array<char>(buffer_.size() * 2);
    std::memcpy(larger.data(), buffer_.data(), end_);
    buffer_ = std::move(larger);
  }
  // One byte stays free for the sentinel.
  const std::size_t room = buffer_.size() - end_ - 1;
  const std::size_t got = source_->read(buffer_.data() + end_, room);
  end_ += got;
  if (got < room) {
    ended_ = true;
    unended_line_ = end_ > begin_ && buffer_[end_ - 1] != '\n';
    if (unended_line_) buffer_[end_++] = '\n';
  }
  return got > 0;
}

bool text_stream::peek_line(std::string_view& line) {
  std::size_t searched = begin_;
  while (true) {
    const void* at =
        end_ > searched ? std::memchr(buffer_.data() + searched, '\n', end_ - searched) : nullptr;
    if (at != nullptr) {
      const char* start = buffer_.data() + begin_;
      std::size_t length = static_cast<std::size_t>(static_cast<const char*>(at) - start);
      if (length > 0 && start[length - 1] == '\r') --length;
      line = {start, length};
      return true;
    }
    const std::size_t seen = end_ - begin_;
    const bool was_ended = ended_;
    fill();
    if (was_ended) return false;
    searched = begin_ + seen;
  }
}

bool text_stream::next_line(std::string_view& line) {
  if (!peek_line(line)) return false;
  const char* start = buffer_.data() + begin_;
  const auto* at = static_cast<const char*>(std::memchr(start, '\n', end_ - begin_));
  const auto length = static_cast<std::size_t>(at - start) + 1;
  begin_ += length;
  consumed_ += static_cast<std::int64_t>(length);
  ++line_;
  return true;
}

std::string_view text_stream::next_block(bool pieces) {
  while (true) {
    const bool more = fill(pieces);
    std::size_t whole = end_;
    while (whole > begin_ && buffer_[whole - 1] != '\n') --whole;
    cut_ = whole == begin_ && !more && !ended_;
    if (cut_) {
      whole = end_;
      while (!is_blank(buffer_[whole - 1])) --whole;
      buffer_[whole - 1] = '\n';
    }
    if (whole > begin_) {
      const std::string_view block(buffer_.data() + begin_, whole - begin_);
      begin_ = whole;
      consumed_ += static_cast<std::int64_t>(block.size());
      return block;
    }
    if (ended_) return {};
  }
}

std::string_view text_stream::sample() {
  fill();
  return {buffer_.data() + begin_, end_ - begin_};
}

std::int64_t text_stream::estimated_text_bytes() const {
  const std::int64_t produced = consumed_ + static_cast<std::int64_t>(end_ - begin_);
  if (ended_) return produced;
  if (source_->said_bytes() > 0) return std::max(produced, source_->said_bytes());
  if (source_->raw_position() <= 0) return produced;
  const double ratio = static_cast<double>(produced) / static_cast<double>(source_->raw_position());
  return static_cast<std::int64_t>(ratio * static_cast<double>(source_->raw_size()));
}

void text_stream::expect_ended() const {
  if (unended_line_)
    fail_at(line_ - 1,
            "the last line has no end: its last number may be cut (add a line end if it is whole)");
}

void text_stream::fail_here(const std::string& message) const {
  fail_at_line(context_.path, line_ - 1, message);
}
void text_stream::fail_at(std::int64_t line, const std::string& message) const {
  fail_at_line(context_.path, line, message);
}

}  // namespace gossamer::io
