// Writing .npz: what scipy.sparse.load_npz reads as CSR, members stored, zip64 where needed.
//
// `indptr` is narrowed to 32 bits when it fits and ids are 32 bits, which is SciPy's own rule.
// Without weights `data` is an array of one-byte ones of type bool. Extras that SciPy ignores:
// gossamer_base and gossamer_map (vertex names).
#include <algorithm>
#include <functional>
#include <vector>

#include "graph/io/npy_array.hpp"
#include "graph/io/writers.hpp"
#include "graph/io/zip_archive.hpp"

namespace gossamer::io {
namespace {

struct directory_entry {
  std::string name;
  std::int64_t offset = 0, bytes = 0;
  std::uint32_t crc = 0;
};

class zip_writer {
 public:
  explicit zip_writer(output_file& out) : out_(out) {}

  /// Adds one array; `fill` hands the elements to the function it is given.
  void add(const std::string& name, const std::string& descr,
           const std::vector<std::int64_t>& shape,
           const std::function<void(const std::function<void(const void*, std::size_t)>&)>& fill) {
    directory_entry e;
    e.name = name + ".npy";
    e.offset = out_.position();
    // Always with a zip64 field: sizes are patched in when they are known. The extra field is
    // padded so that array data lies on a multiple of 64 bytes.
    local_header(e, padding(e));
    const std::string header = npy_header(descr, shape);
    const std::int64_t start = out_.position();
    auto put = [&](const void* data, std::size_t bytes) {
      // In pieces, so that the checksum of a long array does not outlast a stop.
      constexpr std::size_t piece = std::size_t{1} << 20;
      const auto* from = static_cast<const char*>(data);
      for (std::size_t at = 0; at < bytes; at += piece) {
        const std::span<const char> now(from + at, std::min(piece, bytes - at));
        out_.write(now.data(), now.size());
        e.crc = zip_crc(e.crc, now);
      }
    };
    put(header.data(), header.size());
    fill(put);
    e.bytes = out_.position() - start;
    out_.patch(e.offset + 14, &e.crc, 4);
    const std::int64_t sizes[2] = {e.bytes, e.bytes};
    out_.patch(e.offset + 30 + static_cast<std::int64_t>(e.name.size()) + 4, sizes, 16);
    entries_.push_back(e);
  }

  void finish() {
    const std::int64_t directory = out_.position();
    for (const auto& e : entries_) {
      out_.value<std::uint32_t>(0x02014b50);
      out_.value<std::uint16_t>(45);
      fixed_fields(e.crc);
      out_.value<std::uint16_t>(static_cast<std::uint16_t>(e.name.size()));
      out_.value<std::uint16_t>(28);
      out_.zeros(10);  // comment length, disk, attributes
      out_.value<std::uint32_t>(0xffffffff);
      out_.write(e.name);
      out_.value<std::uint16_t>(1);
      out_.value<std::uint16_t>(24);
      out_.value(e.bytes);
      out_.value(e.bytes);
      out_.value(e.offset);
    }
    const std::int64_t end = out_.position();
    out_.value<std::uint32_t>(0x06064b50);
    out_.value<std::uint64_t>(44);
    out_.value<std::uint16_t>(45);
    out_.value<std::uint16_t>(45);
    out_.value<std::uint32_t>(0);
    out_.value<std::uint32_t>(0);
    out_.value<std::uint64_t>(entries_.size());
    out_.value<std::uint64_t>(entries_.size());
    out_.value<std::int64_t>(end - directory);
    out_.value(directory);
    out_.value<std::uint32_t>(0x07064b50);
    out_.value<std::uint32_t>(0);
    out_.value(end);
    out_.value<std::uint32_t>(1);
    out_.value<std::uint32_t>(0x06054b50);
    out_.value<std::uint32_t>(0);
    out_.value<std::uint16_t>(static_cast<std::uint16_t>(entries_.size()));
    out_.value<std::uint16_t>(static_cast<std::uint16_t>(entries_.size()));
    out_.value<std::uint32_t>(0xffffffff);
    out_.value<std::uint32_t>(0xffffffff);
    out_.value<std::uint16_t>(0);
  }

 private:
  std::int64_t padding(const directory_entry& e) const {
    const std::int64_t plain = out_.position() + 30 + static_cast<std::int64_t>(e.name.size()) + 20;
    // A padding field has a 4-byte head of its own.
    std::int64_t pad = (64 - (plain + 4) % 64) % 64;
    return pad + 4;
  }
  void fixed_fields(std::uint32_t crc) {
    out_.value<std::uint16_t>(45);  // zip64 needs version 4.5
    out_.value<std::uint16_t>(0);
    out_.value<std::uint16_t>(0);       // stored
    out_.value<std::uint16_t>(0);       // 00:00
    out_.value<std::uint16_t>(0x0021);  // 1 January 1980: the same bytes at any time
    out_.value(crc);
    out_.value<std::uint32_t>(0xffffffff);
    out_.value<std::uint32_t>(0xffffffff);
  }
  void local_header(const directory_entry& e, std::int64_t pad) {
    out_.value<std::uint32_t>(0x04034b50);
    fixed_fields(0);
    out_.value<std::uint16_t>(static_cast<std::uint16_t>(e.name.size()));
    out_.value<std::uint16_t>(static_cast<std::uint16_t>(20 + pad));
    out_.write(e.name);
    out_.value<std::uint16_t>(1);
    out_.value<std::uint16_t>(16);
    out_.zeros(16);
    out_.value<std::uint16_t>(0xd935);  // the padding field Android's zipalign uses
    out_.value<std::uint16_t>(static_cast<std::uint16_t>(pad - 4));
    out_.zeros(pad - 4);
  }
  output_file& out_;
  std::vector<directory_entry> entries_;
};

template <class T>
auto whole(const shared_array<T>& a) {
  return [&a](const auto& put) { put(a.data(), a.size() * sizeof(T)); };
}

}  // namespace

void write_npz(const graph& g, output_file& out) {
  zip_writer zip(out);
  const std::int64_t n = g.vertices(), m = g.arcs();
  if (g.id_width() == 4) {
    zip.add("indices", "<i4", {m}, whole(std::get<0>(g.indices)));
  } else {
    zip.add("indices", "<i8", {m}, whole(std::get<1>(g.indices)));
  }
  if (g.id_width() == 4 && m <= INT32_MAX) {
    zip.add("indptr", "<i4", {n + 1}, [&](const auto& put) {
      std::vector<std::int32_t> part;
      for (std::int64_t v = 0; v <= n;) {
        part.clear();
        for (; v <= n && part.size() < 1 << 16; ++v)
          part.push_back(static_cast<std::int32_t>(g.offsets[static_cast<std::size_t>(v)]));
        put(part.data(), part.size() * 4);
      }
    });
  } else {
    zip.add("indptr", "<i8", {n + 1}, whole(g.offsets));
  }
  zip.add("format", "|S3", {}, [](const auto& put) { put("csr", 3); });
  zip.add("shape", "<i8", {2}, [n](const auto& put) {
    const std::int64_t shape[2] = {n, n};
    put(shape, sizeof(shape));
  });
  switch (g.weights.index()) {
    case 0:
      zip.add("data", "|b1", {m}, [m](const auto& put) {
        const std::vector<char> ones(1 << 16, 1);
        for (std::int64_t i = 0; i < m; i += 1 << 16)
          put(ones.data(), static_cast<std::size_t>(std::min<std::int64_t>(1 << 16, m - i)));
      });
      break;
    case 1:
      zip.add("data", "<i4", {m}, whole(std::get<1>(g.weights)));
      break;
    case 2:
      zip.add("data", "<f4", {m}, whole(std::get<2>(g.weights)));
      break;
    default:
      zip.add("data", "<f8", {m}, whole(std::get<3>(g.weights)));
      break;
  }
  zip.add("gossamer_base", "<i8", {},
          [&g](const auto& put) { put(&g.names.base, sizeof(g.names.base)); });
  if (!g.names.map.empty()) zip.add("gossamer_map", "<i8", {n}, whole(g.names.map));
  zip.finish();
}

}  // namespace gossamer::io
