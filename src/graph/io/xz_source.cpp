// Streaming decompression of .xz with liblzma, or with a decoder from outside; concatenated streams
// are one file.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/xz_decoder.hpp"
#include "graph/io/byte_source.hpp"
#include "graph/io/xz_format.hpp"

#ifdef GOSSAMER_HAVE_LZMA
#include <lzma.h>
#include <sys/mman.h>
#endif

namespace gossamer {
namespace {

struct given_maker {
  std::mutex mutex;
  std::function<xz_decoder()> make;
};

// Never destroyed: what it holds may belong to an interpreter that has ended.
given_maker& given() {
  static given_maker& made = *new given_maker;
  return made;
}

std::function<xz_decoder()> given_now() {
  std::lock_guard lock(given().mutex);
  return given().make;
}

}  // namespace

void use_xz_decoder(std::function<xz_decoder()> make) {
  std::lock_guard lock(given().mutex);
  given().make = std::move(make);
}

namespace io {
namespace {

class xz_from_outside final : public byte_source {
 public:
  xz_from_outside(std::unique_ptr<byte_source> inner, std::string name, std::int64_t room,
                  xz_decoder decode)
      : inner_(std::move(inner)),
        name_(std::move(name)),
        room_(room),
        decode_(std::move(decode)),
        buffer_(1 << 16),
        said_(xz_said_bytes(*inner_)) {}

  std::size_t read(char* out, std::size_t n) override {
    std::size_t done = 0;
    while (done < n && !ended_) {
      std::size_t got = 0;
      if (wants_more_) {
        got = inner_->read(buffer_.data(), piece_);
        piece_ = std::min(2 * piece_, buffer_.size());
      }
      if (dictionary_ < 0) dictionary_ = xz_dictionary_bytes({buffer_.data(), got});
      if (dictionary_ > room_) fail_without_room(name_, room_);
      const decoded_part part = decode({buffer_.data(), got}, n - done);
      ended_ = wants_more_ && got == 0 && part.bytes.empty();
      wants_more_ = part.wants_more;
      // NOLINTNEXTLINE(bugprone-not-null-terminated-result): bytes, no text
      std::memcpy(out + done, part.bytes.data(), part.bytes.size());
      done += part.bytes.size();
    }
    return done;
  }
  std::int64_t raw_position() const override { return inner_->raw_position(); }
  std::int64_t raw_size() const override { return inner_->raw_size(); }
  bool compressed() const override { return true; }
  std::int64_t said_bytes() const override { return said_; }
  std::int64_t window_bytes() const override { return std::max<std::int64_t>(dictionary_, 0); }

 private:
  decoded_part decode(std::string_view more, std::size_t room) {
    try {
      return decode_(more, room);
    } catch (const input_error& e) {
      fail_at_byte(name_, inner_->raw_position(), e.what());
    }
  }
  std::unique_ptr<byte_source> inner_;
  std::string name_;
  std::int64_t room_;
  xz_decoder decode_;
  std::vector<char> buffer_;
  /// Of the file at once. Nobody says how much of it the decoder has used, so that small files come
  /// in small pieces: what their text has in all is estimated by that.
  std::size_t piece_ = 512;
  bool wants_more_ = true, ended_ = false;
  std::int64_t said_;
  std::int64_t dictionary_ = -1;  // not known yet
};

#ifdef GOSSAMER_HAVE_LZMA

// Largest dictionary accepted: xz -9 needs 65 MiB, so that a lying header cannot take more.
constexpr std::int64_t decoder_limit = 256u << 20;
/// What the decoder has beside its dictionary: some 70 KiB.
constexpr std::int64_t beside_dictionary = 1 << 20;

/// What liblzma takes is mapped, each by itself, and goes back to the system with it. The C library
/// may keep 8 MiB of a dictionary in the heap of the thread that read ahead: plans have it once.
class mapped_blocks {
 public:
  static void* take(void*, std::size_t, std::size_t bytes) {  // of one element (lzma/base.h)
    const std::size_t whole = bytes + head;
    void* p = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    std::memcpy(p, &whole, sizeof whole);
    return static_cast<char*>(p) + head;
  }
  static void give_back(void*, void* p) {
    if (p == nullptr) return;
    char* block = static_cast<char*>(p) - head;
    std::size_t whole = 0;
    std::memcpy(&whole, block, sizeof whole);
    munmap(block, whole);
  }

 private:
  static constexpr std::size_t head = 64;
};

class xz final : public byte_source {
 public:
  xz(std::unique_ptr<byte_source> inner, std::string name, std::int64_t room)
      : inner_(std::move(inner)),
        name_(std::move(name)),
        room_(std::max<std::int64_t>(room, 0)),
        buffer_(1 << 16),
        said_(xz_said_bytes(*inner_)) {
    stream_.allocator = &allocator_;
    const auto limit =
        static_cast<std::uint64_t>(std::min(room_, decoder_limit) + beside_dictionary);
    if (lzma_stream_decoder(&stream_, limit, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~xz() override { lzma_end(&stream_); }

  std::size_t read(char* out, std::size_t n) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = n;
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0 && !input_ended_) {
        stream_.next_in = buffer_.data();
        stream_.avail_in = inner_->read(reinterpret_cast<char*>(buffer_.data()), buffer_.size());
        input_ended_ = stream_.avail_in < buffer_.size();
        if (dictionary_ < 0)
          dictionary_ =
              xz_dictionary_bytes({reinterpret_cast<char*>(buffer_.data()), stream_.avail_in});
        if (dictionary_ > room_) fail_without_room(name_, room_);
      }
      const lzma_ret code = lzma_code(&stream_, input_ended_ ? LZMA_FINISH : LZMA_RUN);
      if (code == LZMA_STREAM_END) {
        ended_ = true;
      } else if (code == LZMA_BUF_ERROR) {
        fail_at_byte(name_, raw_position(), "xz data is cut short");
      } else if (code == LZMA_MEMLIMIT_ERROR) {
        if (room_ < decoder_limit) fail_without_room(name_, room_);
        fail_at_byte(name_, raw_position(), "xz data asks for a dictionary over 256 MiB");
      } else if (code != LZMA_OK) {
        fail_at_byte(name_, raw_position(), "xz data is damaged");
      }
    }
    return n - stream_.avail_out;
  }
  std::int64_t raw_position() const override {
    return inner_->raw_position() - static_cast<std::int64_t>(stream_.avail_in);
  }
  std::int64_t raw_size() const override { return inner_->raw_size(); }
  bool compressed() const override { return true; }
  std::int64_t said_bytes() const override { return said_; }
  std::int64_t window_bytes() const override { return std::max<std::int64_t>(dictionary_, 0); }

 private:
  std::unique_ptr<byte_source> inner_;
  std::string name_;
  std::int64_t room_;
  std::vector<std::uint8_t> buffer_;
  lzma_allocator allocator_{mapped_blocks::take, mapped_blocks::give_back, nullptr};
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false, input_ended_ = false;
  std::int64_t said_;
  std::int64_t dictionary_ = -1;  // not known yet
};

std::unique_ptr<byte_source> built_in(std::unique_ptr<byte_source> inner, std::string name,
                                      std::int64_t room) {
  return std::make_unique<xz>(std::move(inner), std::move(name), room);
}

#else

std::unique_ptr<byte_source> built_in(const std::unique_ptr<byte_source>&, const std::string& name,
                                      std::int64_t) {
  throw not_compiled(name + ": reading .xz",
                     "install liblzma (liblzma-dev) and configure with -DGOSSAMER_LZMA=ON");
}

#endif

}  // namespace

std::unique_ptr<byte_source> xz_source(std::unique_ptr<byte_source> inner, std::string name,
                                       std::int64_t room) {
  if (const auto make = given_now())
    return std::make_unique<xz_from_outside>(std::move(inner), std::move(name), room, make());
  return built_in(std::move(inner), std::move(name), room);
}

}  // namespace io
}  // namespace gossamer
