// Parsing generator specs.
#include <charconv>
#include <limits>

#include "gossamer/graph/generators.hpp"

namespace gossamer {
namespace {

struct family {
  std::string_view name;
  generator_kind kind;
  std::string_view form, example;
};
constexpr family families[] = {
    {"kron", generator_kind::kronecker, "kron:SCALE[:EDGEFACTOR[:SEED]]", "kron:20"},
    {"uniform", generator_kind::uniform, "uniform:SCALE[:DEGREE[:SEED]]", "uniform:20:16"},
    {"grid", generator_kind::grid, "grid:WxH", "grid:1000x500"},
    {"road", generator_kind::road, "road:SIDE[:KEEP[:SEED]]", "road:2000:0.62"},
    {"poisson", generator_kind::poisson, "poisson:NX[xNY[xNZ]]", "poisson:64x64x64"},
    {"band", generator_kind::band, "band:ROWS:NON_ZEROS[:SEED]", "band:9000:3279690"},
};

const family* family_of(std::string_view text) {
  for (const family& f : families)
    if (text.size() > f.name.size() && text.substr(0, f.name.size()) == f.name &&
        text[f.name.size()] == ':')
      return &f;
  return nullptr;
}

class parser {
 public:
  parser(std::string_view text, const family& f) : text_(text), family_(f) {
    std::string_view rest = text.substr(f.name.size() + 1);
    for (;;) {
      const auto colon = rest.find(':');
      fields_.push_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw usage_error("generator '" + std::string(text_) + "': " + what +
                      " (form: " + std::string(family_.form) + ", for example " +
                      std::string(family_.example) + ")");
  }
  [[nodiscard]] std::size_t fields() const { return fields_.size(); }
  [[nodiscard]] std::string_view field(std::size_t i) const { return fields_[i]; }
  template <class T>
  T number(std::string_view field, const char* name, T low, T high) const {
    T value{};
    const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (code == std::errc::result_out_of_range ||
        (code == std::errc{} && (value < low || value > high)))
      fail(std::string(name) + " must be " + std::to_string(low) + " to " + std::to_string(high) +
           ", not " + std::string(field));
    if (code != std::errc{} || end != field.data() + field.size())
      fail(std::string(name) + " '" + std::string(field) + "' is not a whole number");
    return value;
  }
  /// A probability written in decimal, in units of 2^-32, exactly rounded down.
  std::uint64_t probability(std::string_view field) const {
    std::uint64_t digits = 0, unit = 1;
    bool point = false, any = false;
    for (const char c : field) {
      if (c == '.' && !point) {
        point = true;
      } else if (c >= '0' && c <= '9' && unit <= 100000000) {
        digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
        if (point) unit *= 10;
        any = true;
        if (digits > unit) fail("KEEP must be 0 to 1, not " + std::string(field));
      } else {
        fail("KEEP '" + std::string(field) + "' is not a number of at most 9 decimals");
      }
    }
    if (!any) fail("KEEP '" + std::string(field) + "' is not a number");
    return (digits << 32) / unit;
  }

 private:
  std::string_view text_;
  const family& family_;
  std::vector<std::string_view> fields_;
};

constexpr std::int64_t largest_side = std::int64_t{1} << 30;
constexpr std::int64_t most_rows = 2147483647;  ///< solvers number columns in 32 bits

void read_poisson(const parser& p, generator_spec& spec) {
  std::int64_t* const sides[] = {&spec.width, &spec.height, &spec.depth};
  const char* const names[] = {"NX", "NY", "NZ"};
  std::string_view rest = p.field(0);
  std::int64_t rows = 1;
  for (;;) {
    if (spec.dimensions == 3) p.fail("more than three sides");
    const auto x = rest.find('x');
    std::int64_t& side = *sides[spec.dimensions];
    side = p.number<std::int64_t>(rest.substr(0, x), names[spec.dimensions], 1, most_rows);
    if (side > most_rows / rows) p.fail("more than " + std::to_string(most_rows) + " rows");
    rows *= side;
    ++spec.dimensions;
    if (x == std::string_view::npos) return;
    rest.remove_prefix(x + 1);
  }
}

void read_band(const parser& p, generator_spec& spec) {
  if (p.fields() < 2) p.fail("NON_ZEROS is missing");
  spec.width = p.number<std::int64_t>(p.field(0), "ROWS", 1, most_rows);
  spec.non_zeros =
      p.number<std::int64_t>(p.field(1), "NON_ZEROS", spec.width, spec.width * spec.width);
}

}  // namespace

std::int64_t generator_spec::vertices() const {
  const bool scaled = kind == generator_kind::kronecker || kind == generator_kind::uniform;
  return scaled ? std::int64_t{1} << scale : width * height * depth;
}

std::int64_t generator_spec::candidates() const {
  switch (kind) {
    case generator_kind::kronecker:
    case generator_kind::uniform:
      return vertices() * edge_factor;
    case generator_kind::grid:
    case generator_kind::road:
      break;
    case generator_kind::poisson:
      return vertices() + 2 * ((width - 1) * height * depth + width * (height - 1) * depth +
                               width * height * (depth - 1));
    case generator_kind::band:
      return width + (non_zeros - width + 1) / 2 * 2;  // pairs come in twos
  }
  return (width - 1) * height + width * (height - 1);
}

bool is_generator(std::string_view text) {
  return family_of(text) != nullptr;
}

generator_spec parse_generator(std::string_view text) {
  const family* f = family_of(text);
  if (f == nullptr) {
    std::string forms;
    for (const family& known : families)
      forms += (forms.empty() ? "" : ", ") + std::string(known.form);
    throw usage_error("'" + std::string(text) + "' is no generator (" + forms +
                      "; for example kron:20)");
  }
  const parser p(text, *f);
  generator_spec spec;
  spec.kind = f->kind;
  spec.text = text;
  const bool sides = f->kind == generator_kind::grid || f->kind == generator_kind::poisson;
  const std::size_t most = sides ? 1 : 3;
  if (p.fields() > most) p.fail("too many fields");
  switch (f->kind) {
    case generator_kind::kronecker:
    case generator_kind::uniform:
      spec.scale = p.number<int>(p.field(0), "SCALE", 0, 40);
      if (p.fields() > 1)
        spec.edge_factor = p.number<std::int64_t>(
            p.field(1), f->kind == generator_kind::kronecker ? "EDGEFACTOR" : "DEGREE", 0, 65536);
      break;
    case generator_kind::grid: {
      const auto x = p.field(0).find('x');
      if (x == std::string_view::npos) p.fail("no x between width and height");
      spec.width = p.number<std::int64_t>(p.field(0).substr(0, x), "W", 1, largest_side);
      spec.height = p.number<std::int64_t>(p.field(0).substr(x + 1), "H", 1, largest_side);
      break;
    }
    case generator_kind::road:
      spec.width = spec.height = p.number<std::int64_t>(p.field(0), "SIDE", 1, largest_side);
      spec.keep = p.probability(p.fields() > 1 ? p.field(1) : "0.62");
      break;
    case generator_kind::poisson:
      read_poisson(p, spec);
      break;
    case generator_kind::band:
      read_band(p, spec);
      break;
  }
  if (p.fields() > 2)
    spec.seed =
        p.number<std::uint64_t>(p.field(2), "SEED", 0, std::numeric_limits<std::uint64_t>::max());
  return spec;
}

}  // namespace gossamer
