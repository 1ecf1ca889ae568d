// Parsing generator specs and planning their memory.
#include <charconv>
#include <limits>

#include "gossamer/base/configuration.hpp"
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

}  // namespace

std::int64_t generator_spec::vertices() const {
  const bool scaled = kind == generator_kind::kronecker || kind == generator_kind::uniform;
  return scaled ? std::int64_t{1} << scale : width * height;
}

std::int64_t generator_spec::candidates() const {
  const bool scaled = kind == generator_kind::kronecker || kind == generator_kind::uniform;
  return scaled ? vertices() * edge_factor : (width - 1) * height + width * (height - 1);
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
  const std::size_t most = f->kind == generator_kind::grid ? 1 : 3;
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
  }
  if (p.fields() > 2)
    spec.seed =
        p.number<std::uint64_t>(p.field(2), "SEED", 0, std::numeric_limits<std::uint64_t>::max());
  return spec;
}

generator_plan plan_generate(const generator_spec& spec, const generate_options& options,
                             std::int64_t device_free) {
  generator_plan plan;
  const std::int64_t n = spec.vertices();
  plan.vertices = n;
  plan.generated_edges = spec.candidates();
  std::int64_t edges = plan.generated_edges;
  // Six standard deviations above the mean of the kept edges are never exceeded in practice; the
  // bound is rounded up to whole per mille of the candidates plus a constant.
  if (spec.kind == generator_kind::road)
    edges = std::min(edges, static_cast<std::int64_t>(
                                (static_cast<long double>(edges) * spec.keep) / 4294967296.0L) +
                                edges / 500 + 1000);
  plan.arcs_bound = 2 * edges;
  const bool wide = !configuration::narrow_ids(n);
  const bool weighted = options.weights || spec.kind == generator_kind::road;
  const std::int64_t id = wide ? 8 : 4;
  const std::int64_t offsets = 8 * (n + 1);
  const std::int64_t csr = offsets + plan.arcs_bound * (id + (weighted ? 4 : 0));
  if (options.device < 0) {
    // Edge list, then partition (its memory rises as the list's falls), then partition and CSR.
    const std::int64_t list = 2 * id * edges;
    const std::int64_t partition = plan.arcs_bound * (4 + id);
    plan.host_bytes = std::max(list + partition, partition + offsets + plan.arcs_bound * id);
    plan.host_bytes = std::max(plan.host_bytes, csr) + (std::int64_t{64} << 20);
    return plan;
  }
  plan.host_bytes = csr + (std::int64_t{128} << 20);
  // Keys twice (radix sort in two buffers) and the sort's own space; counters a vertex.
  const std::int64_t fixed = offsets + (std::int64_t{256} << 20);
  const std::int64_t keys = plan.arcs_bound * 17;
  const std::int64_t room = device_free > 0 ? std::max<std::int64_t>(device_free - fixed, 1) : keys;
  plan.device_passes =
      static_cast<int>(std::clamp<std::int64_t>((keys + room - 1) / room, 1, 4096));
  // More than one pass leaves a margin for ranges that hold more than the average.
  if (plan.device_passes > 1) plan.device_passes += plan.device_passes / 4 + 1;
  // Parts of the rows are joined at the end.
  if (plan.device_passes > 1) plan.host_bytes += plan.arcs_bound * id;
  plan.device_bytes = fixed + keys / plan.device_passes;
  return plan;
}

std::string generator_plan::text() const {
  std::string line = std::to_string(vertices) + " vertices, " + std::to_string(generated_edges) +
                     " generated edges, at most " + std::to_string(arcs_bound) + " arcs; host " +
                     configuration::format_bytes(host_bytes);
  if (device_bytes > 0)
    line += ", GPU " + configuration::format_bytes(device_bytes) + " in " +
            std::to_string(device_passes) + (device_passes == 1 ? " pass" : " passes");
  return line;
}

}  // namespace gossamer
