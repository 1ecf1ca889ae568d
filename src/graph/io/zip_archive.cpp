// Zip: the central directory at the end lists the members; local headers precede their data.
//
// PKWARE APPNOTE.TXT 6.3: sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end
// record), 4.5.3 (zip64). Encrypted and multi-disk archives are refused.
#include "graph/io/zip_archive.hpp"

#include <algorithm>
#include <array>

#include "gossamer/base/error.hpp"
#include "graph/io/tokens.hpp"

#ifdef GOSSAMER_HAVE_ZLIB
#include <zlib.h>
#endif

namespace gossamer::io {
namespace {

constexpr std::uint32_t local_magic = 0x04034b50, central_magic = 0x02014b50,
                        end_magic = 0x06054b50, end64_magic = 0x06064b50,
                        locator_magic = 0x07064b50;

// Eight tables: eight bytes a step ("slicing by eight", Kounavis and Berry 2005).
struct crc_tables {
  std::uint32_t t[8][256];
  crc_tables() {
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1) ? 0xedb88320u : 0u);
      t[0][i] = c;
    }
    for (std::uint32_t i = 0; i < 256; ++i)
      for (int k = 1; k < 8; ++k) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 0xff];
  }
};

#ifdef GOSSAMER_HAVE_ZLIB
class inflated final : public byte_source {
 public:
  inflated(const char* packed, const zip_member& member, const std::string& path, std::int64_t at)
      : packed_(packed), member_(member), path_(path), at_(at) {
    // Deflate cannot expand more than 1032 times, so the claimed size is believed up to that.
    if (member.size > sat_add(sat_mul(member.packed, 1032), 64))
      fail_at_byte(path, at, "member '" + shown(member.name) + "' claims an impossible size");
    if (inflateInit2(&stream_, -15) != Z_OK) throw std::bad_alloc();
  }
  ~inflated() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t n) override {
    n = std::min(n, static_cast<std::size_t>(member_.size - done_));
    if (n == 0) return 0;
    if (take(out, n) != n) fail_damaged();
    crc_ = zip_crc(crc_, {out, n});
    done_ += static_cast<std::int64_t>(n);
    char more;
    if (done_ == member_.size && (take(&more, 1) != 0 || code_ != Z_STREAM_END)) fail_damaged();
    if (done_ == member_.size && crc_ != member_.crc)
      fail_at_byte(path_, at_, "the checksum of member '" + shown(member_.name) + "' is wrong");
    return n;
  }
  std::int64_t raw_position() const override { return at_ + used_; }
  std::int64_t raw_size() const override { return at_ + member_.packed; }
  bool compressed() const override { return true; }

 private:
  [[noreturn]] void fail_damaged() const {
    fail_at_byte(path_, at_ + used_,
                 "the compressed data of member '" + shown(member_.name) + "' is damaged");
  }
  /// As many of n bytes as there are.
  std::size_t take(char* out, std::size_t n) {
    std::size_t taken = 0;
    while (taken < n && code_ == Z_OK) {
      const auto in_now = std::min<std::int64_t>(member_.packed - used_, 1 << 30);
      const auto out_now = std::min<std::size_t>(n - taken, 1 << 30);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_ + used_));
      stream_.avail_in = static_cast<uInt>(in_now);
      stream_.next_out = reinterpret_cast<Bytef*>(out + taken);
      stream_.avail_out = static_cast<uInt>(out_now);
      code_ = inflate(&stream_, Z_NO_FLUSH);
      used_ += in_now - stream_.avail_in;
      taken += out_now - stream_.avail_out;
    }
    return taken;
  }

  const char* packed_;
  const zip_member member_;
  const std::string& path_;
  const std::int64_t at_;
  std::int64_t used_ = 0, done_ = 0;
  std::uint32_t crc_ = 0;
  int code_ = Z_OK;
  z_stream stream_{};
};
#endif

}  // namespace

std::uint32_t zip_crc(std::uint32_t crc, std::span<const char> bytes) {
  static const crc_tables tables;
  const auto& t = tables.t;
  crc = ~crc;
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    std::uint32_t a, b;
    std::memcpy(&a, p, 4);
    std::memcpy(&b, p + 4, 4);
    a ^= crc;
    crc = t[7][a & 0xff] ^ t[6][(a >> 8) & 0xff] ^ t[5][(a >> 16) & 0xff] ^ t[4][a >> 24] ^
          t[3][b & 0xff] ^ t[2][(b >> 8) & 0xff] ^ t[1][(b >> 16) & 0xff] ^ t[0][b >> 24];
  }
  for (; n > 0; --n, ++p) crc = (crc >> 8) ^ t[0][(crc ^ static_cast<unsigned char>(*p)) & 0xff];
  return ~crc;
}

std::vector<zip_member> list_zip(const byte_image& image, const read_context& context) {
  binary_reader in(image, context);
  // The end record is 22 bytes plus a comment of at most 65535.
  std::int64_t end = image.size() - 22;
  const std::int64_t lowest = std::max<std::int64_t>(0, end - 65535);
  while (end >= lowest && load<std::uint32_t>(image.bytes.data() + end, 0) != end_magic) --end;
  if (end < lowest)
    in.fail_at(image.size(), "the zip archive is cut short: no end record was found");
  in.seek(end + 4);
  const auto disk = in.take<std::uint16_t>("end record");
  const auto first_disk = in.take<std::uint16_t>("end record");
  in.take<std::uint16_t>("end record");
  std::int64_t members = in.take<std::uint16_t>("end record");
  std::int64_t directory_bytes = in.take<std::uint32_t>("end record");
  std::int64_t directory = in.take<std::uint32_t>("end record");
  const bool big = members == 0xffff || directory_bytes == 0xffffffff || directory == 0xffffffff;
  if (big && end >= 20 && load<std::uint32_t>(image.bytes.data() + end - 20, 0) == locator_magic) {
    in.seek(end - 20 + 8);
    const std::int64_t at = in.take_count("zip64 end record", image.size());
    in.seek(at);
    if (in.take<std::uint32_t>("zip64 end record") != end64_magic)
      in.fail_at(at, "the zip64 end record is damaged");
    in.seek(at + 32);
    members = in.take_count("number of members");
    directory_bytes = in.take_count("directory size");
    directory = in.take_count("directory offset", image.size());
  } else if (disk != 0 || first_disk != 0) {
    in.fail_at(end + 4, "a zip archive in several parts is not read");
  }
  if (directory > image.size() || directory_bytes > image.size() - directory)
    in.fail_at(end + 12, "the zip directory does not fit the file");

  std::vector<zip_member> out;
  in.seek(directory);
  for (std::int64_t i = 0; i < members; ++i) {
    const std::int64_t at = in.position();
    if (in.take<std::uint32_t>("zip directory") != central_magic)
      in.fail_at(at, "the zip directory is damaged");
    zip_member m;
    in.take_array<char>(4, "zip directory");
    const auto flags = in.take<std::uint16_t>("zip directory");
    m.method = in.take<std::uint16_t>("zip directory");
    in.take_array<char>(4, "zip directory");
    m.crc = in.take<std::uint32_t>("zip directory");
    m.packed = in.take<std::uint32_t>("zip directory");
    m.size = in.take<std::uint32_t>("zip directory");
    const auto name = in.take<std::uint16_t>("zip directory");
    const auto extra = in.take<std::uint16_t>("zip directory");
    const auto comment = in.take<std::uint16_t>("zip directory");
    in.take_array<char>(8, "zip directory");
    m.offset = in.take<std::uint32_t>("zip directory");
    m.name.assign(in.take_array<char>(name, "zip directory"), name);
    const std::int64_t extra_end = in.position() + extra;
    // zip64 values stand in this order, each only if its 32-bit field is all ones.
    while (in.position() + 4 <= extra_end) {
      const auto id = in.take<std::uint16_t>("zip directory");
      const auto bytes = in.take<std::uint16_t>("zip directory");
      const std::int64_t next = in.position() + bytes;
      if (id == 1) {
        auto wide = [&](std::int64_t& field) {
          if (field == 0xffffffff && in.position() + 8 <= next)
            field = in.take_count("zip64 field");
        };
        wide(m.size);
        wide(m.packed);
        wide(m.offset);
      }
      in.seek(next);
      if (next > extra_end) break;
    }
    in.seek(extra_end);
    in.take_array<char>(comment, "zip directory");
    if (flags & 1) in.fail_at(at, "member '" + shown(m.name) + "' is encrypted");
    out.push_back(std::move(m));
  }
  return out;
}

zip_contents open_member(const byte_image& image, const zip_member& member,
                         const read_context& context) {
  binary_reader in(image, context);
  if (member.offset > image.size() - 30)
    in.fail_at(image.size(), "member '" + shown(member.name) + "' lies outside the file");
  in.seek(member.offset);
  if (in.take<std::uint32_t>("zip member") != local_magic)
    in.fail_at(member.offset, "the header of member '" + shown(member.name) + "' is damaged");
  in.seek(member.offset + 26);
  const auto name = in.take<std::uint16_t>("zip member");
  const auto extra = in.take<std::uint16_t>("zip member");
  in.take_array<char>(std::int64_t{name} + extra, "zip member");
  zip_contents out;
  out.at = in.position();
  out.size = member.size;
  const char* data = in.take_array<char>(member.packed, "zip member");
  if (member.method == 0) {
    if (member.packed != member.size)
      in.fail_at(out.at, "the sizes of member '" + shown(member.name) + "' contradict each other");
    const std::span<const char> bytes(data, static_cast<std::size_t>(member.size));
    if (zip_crc(0, bytes) != member.crc)
      in.fail_at(out.at, "the checksum of member '" + shown(member.name) + "' is wrong");
    out.source = memory_source(bytes);
  } else if (member.method == 8) {
#ifdef GOSSAMER_HAVE_ZLIB
    out.source = std::make_unique<inflated>(data, member, context.path, out.at);
#else
    throw not_compiled(context.path + ": reading compressed .npz",
                       "install zlib (zlib1g-dev) and configure with -DGOSSAMER_ZLIB=ON");
#endif
  } else {
    in.fail_at(member.offset, "member '" + shown(member.name) + "' is compressed by method " +
                                  std::to_string(member.method) + " (0 and 8 are read)");
  }
  return out;
}

}  // namespace gossamer::io
