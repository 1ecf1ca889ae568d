// The .npy header: NEP 1. "\x93NUMPY", major, minor, header length, a Python dict literal.
#include "graph/io/npy_array.hpp"

#include <charconv>

#include "graph/io/tokens.hpp"

namespace gossamer::io {
namespace {

// A parser for exactly the dict literals that NumPy writes.
class literal {
 public:
  literal(std::string text, std::int64_t at, const read_context& context, npy_order order)
      : text_(std::move(text)), at_(at), context_(context), order_(order) {}
  void parse(npy_array& out) {
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        set_type(string(), out);
        descr = true;
      } else if (key == "fortran_order" && !order) {
        if (word() == "True") fortran_ = true;
        order = true;
      } else if (key == "shape" && !shape) {
        set_shape(out);
        shape = true;
      } else {
        fail("unexpected key '" + shown(key) + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (i_ != text_.size()) fail("text after the dictionary");
    if (!descr || !order || !shape) fail("descr, fortran_order or shape is missing");
    if (fortran_ && out.shape.size() > 1) fail("Fortran order is not read");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    fail_at_byte(context_.path, at_ + static_cast<std::int64_t>(i_),
                 "NumPy header is not understood: " + what);
  }
  void skip() {
    while (i_ < text_.size() && (text_[i_] == ' ' || text_[i_] == '\n')) ++i_;
  }
  bool accept(char c) {
    skip();
    if (i_ >= text_.size() || text_[i_] != c) return false;
    ++i_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }
  std::string string() {
    skip();
    if (i_ >= text_.size() || (text_[i_] != '\'' && text_[i_] != '"')) fail("expected a string");
    const char quote = text_[i_++];
    const auto end = text_.find(quote, i_);
    if (end == std::string::npos) fail("a string does not end");
    std::string s = text_.substr(i_, end - i_);
    i_ = end + 1;
    return s;
  }
  std::string word() {
    skip();
    for (const char* w : {"True", "False"})
      if (text_.compare(i_, std::char_traits<char>::length(w), w) == 0) {
        i_ += std::char_traits<char>::length(w);
        return w;
      }
    fail("expected True or False");
  }
  void set_type(const std::string& d, npy_array& out) {
    if (d.size() < 3 || (d[0] != '<' && d[0] != '|' && d[0] != '=' && d[0] != '>'))
      fail("type '" + shown(d) + "'");
    out.kind = d[1];
    const auto [end, code] = std::from_chars(d.data() + 2, d.data() + d.size(), out.bytes);
    if (code != std::errc() || end != d.data() + d.size() || out.bytes < 0 || out.bytes > 1 << 20)
      fail("type '" + shown(d) + "'");
    if (out.kind == 'U') out.bytes *= 4;
    out.swapped = d[0] == '>' && out.bytes > 1;
    if (out.swapped && order_ == npy_order::native) fail("big-endian type '" + shown(d) + "'");
  }
  void set_shape(npy_array& out) {
    expect('(');
    while (!accept(')')) {
      skip();
      std::int64_t v = 0;
      const char* first = text_.data() + i_;
      const auto [end, code] = std::from_chars(first, text_.data() + text_.size(), v);
      if (code != std::errc() || v < 0) fail("expected a length");
      i_ += static_cast<std::size_t>(end - first);
      out.shape.push_back(v);
      if (out.shape.size() > 32) fail("too many dimensions");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }
  std::string text_;
  std::int64_t at_;
  const read_context& context_;
  npy_order order_;
  std::size_t i_ = 0;
  bool fortran_ = false;
};

}  // namespace

const char* npy_array::take(std::int64_t n) {
  taken.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes));
  // The member's size is what the shape asks for: fewer bytes come only after the last element.
  source->read(taken.data(), taken.size());
  return taken.data();
}

bool npy_array::integer(const char* from, std::int64_t i, std::int64_t& value) const {
  auto as = [&]<class T>(T) {
    const T v = load<T>(from, i);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): with its sign
    value = static_cast<std::int64_t>(v);
    return !(sizeof(T) == 8 && !std::is_signed_v<T> && value < 0);
  };
  const bool is_signed = kind == 'i';
  switch (bytes) {
    case 1:
      return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
    case 2:
      return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
    case 4:
      return is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
    default:
      return is_signed ? as(std::int64_t{}) : as(std::uint64_t{});
  }
}

npy_array open_npy(zip_contents member, const std::string& name, const read_context& context,
                   npy_order order) {
  auto fail = [&](std::int64_t where, const std::string& what) {
    fail_at_byte(context.path, member.at + where, "array '" + name + "': " + what);
  };
  char head[12] = {};
  if (member.source->read(head, 10) < 10 || std::string_view(head, 6) != "\x93NUMPY")
    fail(0, "not a NumPy array");
  const int major = static_cast<unsigned char>(head[6]);
  if (major < 1 || major > 3) fail(6, "version " + std::to_string(major) + " is not read");
  std::int64_t start = 10, length = load<std::uint16_t>(head + 8, 0);
  if (major > 1) {
    if (member.source->read(head + 10, 2) < 2) fail(8, "the header is cut short");
    start = 12;
    length = load<std::uint32_t>(head + 8, 0);
  }
  if (length > member.size - start) fail(8, "the header is cut short");
  // NumPy's own limit, which no list of lengths and types comes near.
  if (length > 10000 + 64) fail(8, "the header is too long");
  std::string text(static_cast<std::size_t>(length), '\0');
  member.source->read(text.data(), text.size());
  npy_array out;
  out.name = name;
  literal(std::move(text), member.at + start, context, order).parse(out);
  out.count = 1;
  for (std::int64_t s : out.shape) out.count = sat_mul(out.count, s);
  const bool number = out.kind == 'i' || out.kind == 'u' || out.kind == 'f' || out.kind == 'b';
  if (number && out.bytes != 1 && out.bytes != 2 && out.bytes != 4 && out.bytes != 8)
    fail(start, "elements of " + std::to_string(out.bytes) + " bytes");
  const std::int64_t there = member.size - start - length;
  if (sat_mul(out.count, out.bytes) != there)
    fail(member.size, "the shape asks for " + std::to_string(sat_mul(out.count, out.bytes)) +
                          " bytes of data, there are " + std::to_string(there));
  out.at = member.at + start + length;
  out.source = std::move(member.source);
  return out;
}

std::string npy_header(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i)
    dict += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  if (shape.size() == 1) dict += ',';
  dict += "), }";
  // The data must start at a multiple of 64 from the start of the .npy.
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dict.size() & 0xff);
  out += static_cast<char>(dict.size() >> 8);
  return out + dict;
}

}  // namespace gossamer::io
