// Streaming decompression of .gz with zlib; several members in a row are one file.
#include "gossamer/base/error.hpp"
#include "graph/io/byte_source.hpp"

#ifdef GOSSAMER_HAVE_ZLIB
#include <zlib.h>

#include <vector>

namespace gossamer::io {
namespace {

class gzip final : public byte_source {
 public:
  gzip(std::unique_ptr<byte_source> inner, std::string name)
      : inner_(std::move(inner)), name_(std::move(name)), buffer_(1 << 16) {
    // 15 + 16: the largest window, gzip wrapping only.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~gzip() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t n) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    std::size_t left = n;
    while (left > 0 && !ended_) {
      if (stream_.avail_in == 0) refill();
      if (between_members_) {
        if (stream_.avail_in == 0) {
          ended_ = true;
          break;
        }
        inflateReset(&stream_);
        between_members_ = false;
      }
      const uInt room = static_cast<uInt>(std::min<std::size_t>(left, 1u << 30));
      stream_.avail_out = room;
      const bool no_input = stream_.avail_in == 0;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      left -= room - stream_.avail_out;
      if (code == Z_STREAM_END) {
        between_members_ = true;
      } else if (no_input && stream_.avail_out == room) {
        fail_at_byte(name_, raw_position(), "gzip data is cut short");
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        fail_at_byte(name_, raw_position(),
                     std::string("gzip data is damaged") +
                         (stream_.msg ? std::string(" (") + stream_.msg + ")" : ""));
      }
    }
    return n - left;
  }
  std::int64_t raw_position() const override { return inner_->raw_position() - stream_.avail_in; }
  std::int64_t raw_size() const override { return inner_->raw_size(); }
  bool compressed() const override { return true; }

 private:
  void refill() {
    stream_.next_in = buffer_.data();
    stream_.avail_in =
        static_cast<uInt>(inner_->read(reinterpret_cast<char*>(buffer_.data()), buffer_.size()));
  }
  std::unique_ptr<byte_source> inner_;
  std::string name_;
  std::vector<Bytef> buffer_;
  z_stream stream_{};
  bool ended_ = false, between_members_ = false;
};

}  // namespace

std::unique_ptr<byte_source> gzip_source(std::unique_ptr<byte_source> inner, std::string name) {
  return std::make_unique<gzip>(std::move(inner), std::move(name));
}

}  // namespace gossamer::io
#else
namespace gossamer::io {
std::unique_ptr<byte_source> gzip_source(std::unique_ptr<byte_source>, std::string name) {
  throw not_compiled(name + ": reading .gz",
                     "install zlib (zlib1g-dev) and configure with -DGOSSAMER_ZLIB=ON");
}
}  // namespace gossamer::io
#endif
