// Parsing generator specs.
#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>

#include "gossamer/base/shown.hpp"
#include "gossamer/graph/generators.hpp"

namespace gossamer {
namespace {

struct family {
  std::string_view name;
  generator_kind kind;
  std::string_view form, example;
};
constexpr family families[] = {
    {"kron", generator_kind::kronecker, "kron:SCALE[:EDGEFACTOR[:SEED[:degree]]]", "kron:20"},
    {"uniform", generator_kind::uniform, "uniform:SCALE[:DEGREE[:SEED]]", "uniform:20:16"},
    {"grid", generator_kind::grid, "grid:WxH", "grid:1000x500"},
    {"road", generator_kind::road, "road:SIDE[:KEEP[:SEED]]", "road:2000:0.62"},
    {"poisson", generator_kind::poisson, "poisson:NX[xNY[xNZ]]", "poisson:64x64x64"},
    {"band", generator_kind::band, "band:ROWS:NON_ZEROS[:SEED]", "band:9000:3279690"},
    {"star", generator_kind::star, "star:N", "star:1000"},
    {"path", generator_kind::path, "path:N", "path:1000"},
    {"tree", generator_kind::tree, "tree:DEPTH[:ARITY]", "tree:10:2"},
    {"cliques", generator_kind::cliques, "cliques:COUNTxSIZE", "cliques:100x20"},
    {"lollipop", generator_kind::lollipop, "lollipop:CLIQUExPATH", "lollipop:50x1000"},
    {"bipartite", generator_kind::bipartite, "bipartite:HUBSxLEAVES:DEGREE[:SEED]",
     "bipartite:100x20000:40"},
    {"small-world", generator_kind::small_world, "small-world:N:K:PER_MILLE[:SEED]",
     "small-world:100000:10:10"},
    {"mesh", generator_kind::mesh, "mesh:XxYxZ", "mesh:40x30x20"},
    {"preferential", generator_kind::preferential, "preferential:N:M[:SEED]",
     "preferential:100000:8"},
    {"geometric", generator_kind::geometric, "geometric:N:DEGREE[:SEED]", "geometric:100000:12"},
    {"web", generator_kind::web, "web:N:DEGREE[:SEED]", "web:100000:10"},
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
    throw usage_error("generator '" + shown(text_, 100) + "': " + what +
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
           ", not " + shown(field));
    if (code != std::errc{} || end != field.data() + field.size())
      fail(std::string(name) + " '" + shown(field) + "' is not a whole number");
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
        if (digits > unit) fail("KEEP must be 0 to 1, not " + shown(field));
      } else {
        fail("KEEP '" + shown(field) + "' is not a number of at most 9 decimals");
      }
    }
    if (!any) fail("KEEP '" + shown(field) + "' is not a number");
    return (digits << 32) / unit;
  }

 private:
  std::string_view text_;
  const family& family_;
  std::vector<std::string_view> fields_;
};

constexpr std::int64_t largest_side = std::int64_t{1} << 30;
constexpr std::int64_t most_vertices = std::int64_t{1} << 40;
constexpr std::int64_t most_entries = std::int64_t{1} << 48;
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

/// "AxB" or "AxBxC", each at least one.
void read_product(const parser& p, std::initializer_list<const char*> names,
                  std::initializer_list<std::int64_t*> into) {
  std::string_view rest = p.field(0);
  const auto* name = names.begin();
  for (std::int64_t* side : into) {
    const auto x = rest.find('x');
    const bool last = name + 1 == names.end();
    if ((x == std::string_view::npos) != last)
      p.fail(std::string(last ? "too many numbers behind " : "no x behind ") + *name);
    *side = p.number<std::int64_t>(rest.substr(0, x), *name, 1, largest_side);
    if (!last) rest.remove_prefix(x + 1);
    ++name;
  }
}

void read_tree(const parser& p, generator_spec& spec) {
  const int depth = p.number<int>(p.field(0), "DEPTH", 0, 40);
  spec.edge_factor = 2;
  if (p.fields() > 1) spec.edge_factor = p.number<std::int64_t>(p.field(1), "ARITY", 1, 1 << 20);
  std::int64_t level = 1;
  spec.width = 1;
  for (int d = 0; d < depth; ++d) {
    level *= spec.edge_factor;
    spec.width += level;
    if (spec.width > most_vertices)
      p.fail("more than " + std::to_string(most_vertices) + " vertices");
  }
}

void read_small_world(const parser& p, generator_spec& spec) {
  if (p.fields() < 3) p.fail("K and PER_MILLE are needed");
  spec.width = p.number<std::int64_t>(p.field(0), "N", 1, most_vertices);
  const auto neighbours = p.number<std::int64_t>(p.field(1), "K", 0, 65536);
  if (neighbours % 2 != 0) p.fail("K must be even, not " + shown(p.field(1)));
  if (neighbours >= spec.width) p.fail("K must be less than N");
  spec.edge_factor = neighbours / 2;
  const auto rewired = p.number<std::uint64_t>(p.field(2), "PER_MILLE", 0, 1000);
  spec.keep = (rewired << 32) / 1000;
}

void read_two(const parser& p, generator_spec& spec, const char* first, const char* second) {
  spec.edge_factor = 1;
  read_product(p, {first, second}, {&spec.width, &spec.height});
}

void read_bipartite(const parser& p, generator_spec& spec) {
  read_two(p, spec, "HUBS", "LEAVES");
  if (p.fields() < 2) p.fail("DEGREE is missing");
  spec.edge_factor = p.number<std::int64_t>(p.field(1), "DEGREE", 0, spec.width);
}

/// N and what each vertex has of the other.
void read_each(const parser& p, generator_spec& spec, const char* each, std::int64_t least) {
  if (p.fields() < 2) p.fail(std::string(each) + " is missing");
  spec.width = p.number<std::int64_t>(p.field(0), "N", 1, most_vertices);
  spec.edge_factor = p.number<std::int64_t>(p.field(1), each, least, 65536);
}

void read_geometric(const parser& p, generator_spec& spec) {
  read_each(p, spec, "DEGREE", 0);
  const std::int64_t points = detail::points_of_cell(spec.edge_factor);
  while (spec.height * spec.height * points < spec.width) ++spec.height;
  // DEGREE points and the one in the middle are in the circle, of 355 / 113 squares of the reach.
  if (spec.edge_factor > 0)
    spec.keep = (static_cast<std::uint64_t>(spec.edge_factor + 1) << 32) /
                static_cast<std::uint64_t>(points) * 113 / 355;
}

void read_band(const parser& p, generator_spec& spec) {
  if (p.fields() < 2) p.fail("NON_ZEROS is missing");
  spec.width = p.number<std::int64_t>(p.field(0), "ROWS", 1, most_rows);
  spec.non_zeros =
      p.number<std::int64_t>(p.field(1), "NON_ZEROS", spec.width, spec.width * spec.width);
}

/// Products that would not fit are refused before anything is computed with them.
void check_size(const parser& p, const generator_spec& spec) {
  const auto sides = [](std::int64_t a, std::int64_t b) {
    return static_cast<long double>(a) * static_cast<long double>(b);
  };
  long double vertices = sides(spec.width, spec.height) * static_cast<long double>(spec.depth);
  long double entries = sides(spec.width, spec.edge_factor);
  switch (spec.kind) {
    case generator_kind::cliques:
      entries = vertices * static_cast<long double>(spec.height) / 2;
      break;
    case generator_kind::lollipop:
      vertices = 0;
      entries = sides(spec.width, spec.width) / 2;
      break;
    case generator_kind::bipartite:
      vertices = 0;
      entries = sides(spec.height, spec.edge_factor);
      break;
    case generator_kind::geometric:
      vertices = 0;
      entries *= 2;
      break;
    case generator_kind::grid:
    case generator_kind::road:
    case generator_kind::mesh:
    case generator_kind::small_world:
    case generator_kind::preferential:
    case generator_kind::web:
      break;
    default:
      return;  // bounded by their fields
  }
  if (vertices > static_cast<long double>(most_vertices))
    p.fail("more than " + std::to_string(most_vertices) + " vertices");
  if (entries > static_cast<long double>(most_entries))
    p.fail("more than " + std::to_string(most_entries) + " edges");
}

}  // namespace

void generator_spec::require_list() const {
  if (matrix()) throw usage_error(text + " is a matrix: it has no list of edges");
  if (by_degree) throw usage_error(text + " is in degree order: it has no list of edges");
}

std::int64_t generator_spec::vertices() const {
  switch (kind) {
    case generator_kind::kronecker:
    case generator_kind::uniform:
      return std::int64_t{1} << scale;
    case generator_kind::lollipop:
    case generator_kind::bipartite:
      return width + height;
    case generator_kind::geometric:
      return width;
    default:
      return width * height * depth;
  }
}

std::int64_t generator_spec::candidates() const {
  switch (kind) {
    case generator_kind::kronecker:
    case generator_kind::uniform:
      return vertices() * edge_factor;
    case generator_kind::small_world:
    case generator_kind::preferential:
    case generator_kind::web:
      return width * edge_factor;
    case generator_kind::bipartite:
      return height * edge_factor;
    case generator_kind::geometric:
      return width * 5 * detail::points_of_cell(edge_factor);
    case generator_kind::star:
    case generator_kind::path:
    case generator_kind::tree:
      return width - 1;
    case generator_kind::cliques:
      return width * detail::clique_edges(height) + width - 1;
    case generator_kind::lollipop:
      return detail::clique_edges(width) + height;
    case generator_kind::poisson:
      return vertices() + 2 * sides();
    case generator_kind::band:
      return width + (non_zeros - width + 1) / 2 * 2;  // pairs come in twos
    case generator_kind::grid:
    case generator_kind::road:
    case generator_kind::mesh:
      break;
  }
  return sides();
}

std::int64_t generator_spec::sides() const {
  return (width - 1) * height * depth + width * (height - 1) * depth + width * height * (depth - 1);
}

std::vector<std::string> generator_forms() {
  std::vector<std::string> forms;
  for (const family& f : families) forms.emplace_back(f.form);
  return forms;
}

bool is_generator(std::string_view text) {
  return family_of(text) != nullptr;
}

generator_spec parse_generator(std::string_view text) {
  const family* f = family_of(text);
  if (f == nullptr) {
    std::string forms;
    for (const std::string& form : generator_forms()) forms += (forms.empty() ? "" : ", ") + form;
    throw usage_error("'" + shown(text, 100) + "' is no generator (" + forms +
                      "; for example kron:20)");
  }
  const parser p(text, *f);
  generator_spec spec;
  spec.kind = f->kind;
  spec.text = text;
  if (p.fields() > static_cast<std::size_t>(std::ranges::count(f->form, ':')))
    p.fail("too many fields");
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
    case generator_kind::star:
    case generator_kind::path:
      spec.width = p.number<std::int64_t>(p.field(0), "N", 1, most_vertices);
      break;
    case generator_kind::tree:
      read_tree(p, spec);
      break;
    case generator_kind::cliques:
      read_two(p, spec, "COUNT", "SIZE");
      break;
    case generator_kind::lollipop:
      read_two(p, spec, "CLIQUE", "PATH");
      break;
    case generator_kind::bipartite:
      read_bipartite(p, spec);
      break;
    case generator_kind::small_world:
      read_small_world(p, spec);
      break;
    case generator_kind::mesh:
      read_product(p, {"X", "Y", "Z"}, {&spec.width, &spec.height, &spec.depth});
      break;
    case generator_kind::preferential:
      read_each(p, spec, "M", 1);
      break;
    case generator_kind::geometric:
      read_geometric(p, spec);
      break;
    case generator_kind::web:
      read_each(p, spec, "DEGREE", 1);
      break;
  }
  check_size(p, spec);
  // Fields before SEED, which a word without a colon of its own may follow.
  const auto before = f->form.substr(0, f->form.find("[:SEED"));
  if (before.size() < f->form.size()) {
    const auto seed = static_cast<std::size_t>(std::ranges::count(before, ':'));
    if (p.fields() > seed)
      spec.seed = p.number<std::uint64_t>(p.field(seed), "SEED", 0,
                                          std::numeric_limits<std::uint64_t>::max());
    if (p.fields() > seed + 1) {
      if (p.field(seed + 1) != "degree") p.fail("behind SEED stands degree or nothing");
      spec.by_degree = true;
    }
  }
  return spec;
}

}  // namespace gossamer
