// Mutates .npz and .npy files by their arrays: members of the archive, headers of the arrays and
// their elements, with zip fields and checksums made right.
#include <zlib.h>

#include <charconv>

#include "gossamer/base/error.hpp"
#include "graph/io/zip_archive.hpp"
#include "mutation.hpp"

namespace gossamer::fuzz {
namespace {

constexpr const char* names[] = {"indptr",        "indices",      "data", "format",
                                 "shape",         "row",          "col",  "weights",
                                 "gossamer_base", "gossamer_map", "ranks"};
constexpr const char* types[] = {"<i4", "<i8", "<u4", "<u8", "<f4", "<f8", "|b1", "|i1", "|u1",
                                 "<i2", "<u2", "<f2", ">i4", ">i8", ">f8", "|S3", "<U3", "<c8"};

/// Bytes of an element, as the type's name says; 1 where it says nothing.
std::size_t width_of(const std::string& type) {
  std::size_t bytes = 0;
  if (type.size() > 2) std::from_chars(type.data() + 2, type.data() + type.size(), bytes);
  if (type.size() > 1 && type[1] == 'U') bytes *= 4;
  return bytes == 0 || bytes > 64 ? 1 : bytes;
}

struct array {
  std::string name, type = "<i4", order = "False";
  std::vector<std::int64_t> shape;
  std::string elements;
  std::string raw;  ///< what is no .npy, or a header that is none any more
  bool packed = false;

  [[nodiscard]] std::int64_t count() const {
    return static_cast<std::int64_t>(elements.size() / width_of(type));
  }
  /// As long as the elements are.
  void fit() { shape = {count()}; }

  void decode(const std::string& npy) {
    // Only the form that encode() writes; other forms stay bytes.
    const auto between = [&](const char* before, const char* after) -> std::string {
      const auto from = npy.find(before);
      if (from == npy.npos) return {};
      const auto begin = from + std::strlen(before), end = npy.find(after, begin);
      return end == npy.npos ? std::string() : npy.substr(begin, end - begin);
    };
    raw = npy;
    if (!npy.starts_with(std::string_view("\x93NUMPY\x01\0", 8)) || npy.size() < 10) return;
    const std::size_t length =
        static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
    if (10 + length > npy.size()) return;
    type = between("'descr': '", "'");
    order = between("'fortran_order': ", ",");
    const std::string sides = between("'shape': (", ")");
    if (type.empty() || order.empty()) return;
    for (const char* p = sides.data(); p < sides.data() + sides.size();) {
      std::int64_t side = 0;
      const auto [end, failed] = std::from_chars(p, sides.data() + sides.size(), side);
      if (failed == std::errc()) shape.push_back(side);
      p = end + 1;
    }
    elements = npy.substr(10 + length);
    raw.clear();
  }

  [[nodiscard]] std::string encode() const {
    if (!raw.empty()) return raw;
    std::string sides;
    for (const std::int64_t side : shape) sides += std::to_string(side) + ",";
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + sides + "), }\n";
    std::string out("\x93NUMPY\x01\0", 8);
    put(out, static_cast<std::uint16_t>(header.size()));
    return out + header + elements;
  }

  void mutate(mutation& by, std::size_t most) {
    if (!raw.empty()) return by.bytes(raw, most);
    switch (by.below(12)) {
      case 0:
        type = by.one_of(types);
        elements.resize(elements.size() / width_of(type) * width_of(type));
        return fit();
      case 1:
        if (shape.empty() || by.once_in(3)) shape.insert(shape.begin(), 1);
        shape[by.below(shape.size())] = by.number(shape[0]);
        return;
      case 2:
        if (by.once_in(3)) shape.clear();
        order = by.once_in(2) ? "True" : "False";
        return;
      case 3:
        if (by.once_in(8)) {
          raw = encode();
          return by.bytes(raw, most);
        }
        by.bytes(type, 8);
        return;
      case 4:
        by.bytes(elements, most);
        elements.resize(elements.size() / width_of(type) * width_of(type));
        return fit();
      default:
        by.elements(elements, width_of(type), most);
        return fit();
    }
  }
};

struct archive {
  std::vector<array> members;
  bool lone = false;  ///< an .npy

  static archive example() {
    archive made;
    for (const auto& [name, values] :
         {std::pair{"indptr", std::vector<int>{0, 1, 2}}, {"indices", {1, 0}}, {"data", {3, 4}}}) {
      array a;
      a.name = std::string(name) + ".npy";
      for (const int v : values) put(a.elements, v);
      a.fit();
      made.members.push_back(a);
    }
    return made;
  }

  bool decode(std::string_view bytes) {
    if (bytes.starts_with("\x93NUMPY")) {
      lone = true;
      members.emplace_back().decode(std::string(bytes));
      return true;
    }
    if (!bytes.starts_with("PK")) return false;
    read_options options;
    options.threads = 1;
    const io::read_context context("fuzz", options);
    try {
      const io::byte_image image{{bytes.data(), bytes.size()}, nullptr, false};
      for (const io::zip_member& m : io::list_zip(image, context)) {
        const auto found = io::open_member(image, m, context);
        if (found.size > 1 << 16 || members.size() > 16) return false;
        std::string npy(static_cast<std::size_t>(found.size), '\0');
        found.source->read(npy.data(), npy.size());
        array& a = members.emplace_back();
        a.name = m.name;
        a.packed = m.method == 8;
        a.decode(npy);
      }
    } catch (const error&) {
      return false;
    }
    return true;
  }

  /// An arc more in a matrix of rows: as a reader checks arrays against each other, several change.
  bool add_arc(mutation& by) {
    const auto find = [&](const char* name) -> array* {
      for (auto& a : members)
        if (a.name == name && a.raw.empty() && a.count() > 0) return &a;
      return nullptr;
    };
    array *rows = find("indptr.npy"), *columns = find("indices.npy");
    if (rows == nullptr || columns == nullptr || rows->count() < 2) return false;
    const std::size_t row_width = width_of(rows->type), width = width_of(columns->type);
    if (row_width > 8) return false;
    const std::size_t row = by.below(static_cast<std::size_t>(rows->count()) - 1);
    for (std::size_t r = row + 1; r < static_cast<std::size_t>(rows->count()); ++r) {
      std::uint64_t end = 0;
      std::memcpy(&end, rows->elements.data() + r * row_width, row_width);
      ++end;
      std::memcpy(rows->elements.data() + r * row_width, &end, row_width);
    }
    const std::size_t at = by.below(static_cast<std::size_t>(columns->count()) + 1);
    std::string column(width, '\0');
    column[0] = static_cast<char>(by.below(static_cast<std::size_t>(rows->count()) - 1));
    columns->elements.insert(at * width, column);
    columns->fit();
    for (const char* name : {"data.npy", "weights.npy"})
      if (array* a = find(name)) {
        const std::size_t each = width_of(a->type);
        a->elements.insert(0, a->elements.substr(0, each));
        a->fit();
      }
    return true;
  }

  void mutate(mutation& by, std::size_t most) {
    if (lone) return members[0].mutate(by, most);
    const std::size_t count = members.size();
    switch (by.below(10)) {
      case 0: {
        array a = count > 0 && by.once_in(2) ? by.one_of(members) : array();
        a.name = std::string(by.one_of(names)) + ".npy";
        if (a.shape.empty()) a.mutate(by, most);
        if (count < 12) members.push_back(std::move(a));
        return;
      }
      case 1:
        if (count > 1)
          members.erase(members.begin() + static_cast<std::ptrdiff_t>(by.below(count)));
        return;
      case 2:
        if (count == 0) return;
        if (by.once_in(4))
          by.bytes(members[by.below(count)].name, 40);
        else
          members[by.below(count)].name = std::string(by.one_of(names)) + ".npy";
        return;
      case 3:
        if (count > 0) members[by.below(count)].packed ^= true;
        return;
      case 4:
      case 5:
        if (add_arc(by)) return;
        [[fallthrough]];
      default:
        if (count > 0) members[by.below(count)].mutate(by, most);
    }
  }

  static std::string deflated(const std::string& bytes) {
    std::string out(bytes.size() + 64, '\0');
    z_stream stream{};
    // The smallest memory: it is taken anew for each member.
    deflateInit2(&stream, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  /// Now and then one field is wrong, or its 64-bit form stands for it.
  [[nodiscard]] std::string encode(mutation& by) const {
    if (lone) return members[0].encode();
    std::string out, directory;
    const std::size_t wrong = by.once_in(8) ? by.below(members.size() + 1) : members.size() + 1;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const array& a = members[i];
      const std::string npy = a.encode(), stored = a.packed ? deflated(npy) : npy;
      const bool wide = by.once_in(12);
      std::uint32_t crc = io::zip_crc(0, npy);
      std::int64_t field[] = {static_cast<std::int64_t>(stored.size()),
                              static_cast<std::int64_t>(npy.size()),
                              static_cast<std::int64_t>(out.size())};
      std::uint16_t flags = 0, method = a.packed ? 8 : 0;
      if (i == wrong) switch (by.below(6)) {
          case 0:
            crc ^= 1;
            break;
          case 1:
            flags = static_cast<std::uint16_t>(by.below(16));
            break;
          case 2:
            method = static_cast<std::uint16_t>(by.below(16));
            break;
          default: {
            auto& one = field[by.below(3)];
            one = by.number(one);
          }
        }
      const auto narrow = [&](int f) {
        return wide ? UINT32_MAX : static_cast<std::uint32_t>(field[f]);
      };
      std::string extra;
      if (wide) {
        put<std::uint16_t>(extra, 1);
        put<std::uint16_t>(extra, 24);
        for (const int f : {1, 0, 2}) put(extra, field[f]);
      }
      const auto common = [&](std::string& to) {
        put<std::uint16_t>(to, 20);
        put(to, flags);
        put(to, method);
        put<std::uint32_t>(to, 0);
        put(to, crc);
        put(to, narrow(0));
        put(to, narrow(1));
        put(to, static_cast<std::uint16_t>(a.name.size()));
      };
      put<std::uint32_t>(directory, 0x02014b50);
      put<std::uint16_t>(directory, 20);
      common(directory);
      put(directory, static_cast<std::uint16_t>(extra.size()));
      directory.append(10, '\0');
      put(directory, narrow(2));
      directory += a.name + extra;
      put<std::uint32_t>(out, 0x04034b50);
      common(out);
      put<std::uint16_t>(out, 0);
      out += a.name + stored;
    }
    std::int64_t count = static_cast<std::int64_t>(members.size());
    auto length = static_cast<std::int64_t>(directory.size());
    auto start = static_cast<std::int64_t>(out.size());
    if (wrong == members.size()) {
      std::int64_t* const one[] = {&count, &length, &start};
      auto& field = *one[by.below(3)];
      field = by.number(field);
    }
    out += directory;
    const bool wide = by.once_in(12);
    if (wide) {
      const auto at = static_cast<std::int64_t>(out.size());
      put<std::uint32_t>(out, 0x06064b50);
      put<std::int64_t>(out, 44);
      out.append(20, '\0');
      for (const std::int64_t field : {count, length, start}) put(out, field);
      put<std::uint32_t>(out, 0x07064b50);
      put<std::uint32_t>(out, 0);
      put(out, at);
      put<std::uint32_t>(out, 1);
    }
    put<std::uint32_t>(out, 0x06054b50);
    put<std::uint32_t>(out, 0);
    for (int twice = 0; twice < 2; ++twice)
      put(out, static_cast<std::uint16_t>(wide ? 0xffff : count));
    put(out, static_cast<std::uint32_t>(wide ? UINT32_MAX : length));
    put(out, static_cast<std::uint32_t>(wide ? UINT32_MAX : start));
    put<std::uint16_t>(out, 0);
    return out;
  }
};

}  // namespace
}  // namespace gossamer::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return gossamer::fuzz::mutate_as<gossamer::fuzz::archive>(data, size, most, seed);
}
