// Streaming decompression of .zst with libzstd; concatenated frames are one file.
#include "gossamer/base/error.hpp"
#include "graph/io/byte_source.hpp"

#ifdef GOSSAMER_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include "graph/io/zstd_format.hpp"

namespace gossamer::io {
namespace {

constexpr int largest_bits = 27;
/// Of a frame: the decoder takes another format for one only where it sees such a frame's header.
constexpr std::size_t most_header_bytes = 18;

/// Formats before version 0.8, which a decoder may still know. Their windows keep no limit.
bool has_old_format(std::string_view frame) {
  constexpr std::uint32_t version_1 = 0x1eb52ffd, version_2 = 0xfd2fb522, version_7 = 0xfd2fb527;
  std::uint32_t magic = 0;
  if (frame.size() < sizeof magic) return false;
  for (std::size_t i = sizeof magic; i-- > 0;)
    magic = magic << 8u | static_cast<unsigned char>(frame[i]);
  return magic == version_1 || (version_2 <= magic && magic <= version_7);
}

class zstd final : public byte_source {
 public:
  zstd(std::unique_ptr<byte_source> inner, std::string name, std::int64_t room)
      : inner_(std::move(inner)),
        name_(std::move(name)),
        room_(std::max<std::int64_t>(room, 1)),
        buffer_(1 << 16),
        said_(zstd_said_bytes(*inner_)),
        stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    // At most a 128 MiB window, so that a lying header cannot take more; 1 KiB is the least.
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(room_))) - 1;
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, std::clamp(bits, 10, largest_bits));
  }
  ~zstd() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* out, std::size_t n) override {
    ZSTD_outBuffer target{out, n, 0};
    while (target.pos < n) {
      if (at_frame_)
        begin_frame();
      else if (input_.pos == input_.size)
        refill();
      // Without input there may still be decoded bytes inside the stream: ask once more.
      const std::size_t before_out = target.pos;
      const bool no_input = input_.size == 0;
      if (no_input && frame_done_) break;
      const std::size_t code = ZSTD_decompressStream(stream_, &target, &input_);
      if (ZSTD_isError(code)) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
          if (room_ < std::int64_t{1} << largest_bits) fail_without_room(name_, room_);
          fail_at_byte(name_, raw_position(), "zstd data asks for a window over 128 MiB");
        }
        fail_at_byte(name_, raw_position(),
                     std::string("zstd data is damaged (") + ZSTD_getErrorName(code) + ")");
      }
      at_frame_ = frame_done_ = code == 0;
      if (no_input && target.pos == before_out && !frame_done_)
        fail_at_byte(name_, raw_position(), "zstd data is cut short");
    }
    return target.pos;
  }
  std::int64_t raw_position() const override {
    return inner_->raw_position() - static_cast<std::int64_t>(input_.size - input_.pos);
  }
  std::int64_t raw_size() const override { return inner_->raw_size(); }
  bool compressed() const override { return true; }
  std::int64_t said_bytes() const override { return said_; }
  std::int64_t window_bytes() const override {
    return static_cast<std::int64_t>(ZSTD_sizeof_DStream(stream_));
  }

 private:
  /// What is left of the input, and what follows it.
  void refill() {
    const std::size_t left = input_.size - input_.pos;
    std::memmove(buffer_.data(), buffer_.data() + input_.pos, left);
    input_ = {buffer_.data(), left + inner_->read(buffer_.data() + left, buffer_.size() - left), 0};
  }
  /// The whole header, so that the decoder cannot take the middle of one for an old format's.
  void begin_frame() {
    if (input_.size - input_.pos < most_header_bytes) refill();
    if (has_old_format({buffer_.data() + input_.pos, input_.size - input_.pos}))
      fail_at_byte(name_, raw_position(), "zstd data has a format from before version 0.8");
  }

  std::unique_ptr<byte_source> inner_;
  std::string name_;
  std::int64_t room_;
  std::vector<char> buffer_;
  std::int64_t said_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool at_frame_ = true, frame_done_ = false;
};

}  // namespace

std::unique_ptr<byte_source> zstd_source(std::unique_ptr<byte_source> inner, std::string name,
                                         std::int64_t room) {
  return std::make_unique<zstd>(std::move(inner), std::move(name), room);
}

}  // namespace gossamer::io
#else
namespace gossamer::io {
std::unique_ptr<byte_source> zstd_source(std::unique_ptr<byte_source>, std::string name,
                                         std::int64_t) {
  throw not_compiled(name + ": reading .zst",
                     "install libzstd (libzstd-dev) and configure with -DGOSSAMER_ZSTD=ON");
}
}  // namespace gossamer::io
#endif
