// Fuzzes what stands behind an engine's name ("async:balance=steal"), numbers of bytes, and
// predicates of filters. The first byte says which of them the rest is. The engine's options are of
// a table with one of each type.
#include <optional>

#include "algorithm/driver/option_table.hpp"
#include "checks.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"

namespace {

using namespace gossamer;

struct some_options {
  enum class split { even, first };
  std::string engine = "auto", balance = "none";
  split by = split::even;
  bool fused = false;
  std::int64_t packet = 0;
  int buffers = 1;
  double residual = 0.5;
  std::optional<double> delta;
  std::optional<int> threads;
};

}  // namespace

template <>
algorithm_detail::option_table<some_options> algorithm_detail::make_table() {
  const std::vector<std::string> async = {"async"}, both = {"async", "sync"};
  return {
      "fuzz",
      {{.name = "async"}, {.name = "sync"}, {.name = "tasks"}},
      {option_of<&some_options::balance>(
           {.name = "balance", .choices = {"none", "steal"}, .engines = async}),
       option_of<&some_options::by>({.name = "by", .choices = {"even", "first"}, .engines = both}),
       option_of<&some_options::fused>({.name = "fused", .engines = async}),
       option_of<&some_options::packet>(
           {.name = "packet", .least = 0, .unit = "bytes", .engines = both}),
       option_of<&some_options::buffers>(
           {.name = "buffers", .least = 1, .most = 64, .engines = async}),
       option_of<&some_options::residual>({.name = "residual", .least = 0, .engines = both}),
       option_of<&some_options::delta>({.name = "delta", .engines = async}),
       option_of<&some_options::threads>({.name = "threads", .least = 1, .engines = both})}};
}

namespace {

/// What was taken fits its table. Asked for by the text of what it is, it is the same.
void try_engine(const std::string& text) {
  some_options options;
  options.engine = text;
  const some_options taken = algorithm_detail::with_engine_options(options);
  std::string again = taken.engine;
  char before = ':';
  for (const auto& o : algorithm_detail::table_of<some_options>().options) {
    const auto value = o.get(taken, o.info);
    algorithm_detail::check_value(o.info, value, "fuzz");
    if (value == o.info.standard) continue;
    again += before + o.info.name + '=' + algorithm_detail::value_text(value);
    before = ',';
  }
  options.engine = again;
  fuzz::expect(algorithm_detail::kept_text(algorithm_detail::with_engine_options(options)) ==
                   algorithm_detail::kept_text(taken),
               "other options the second time", again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  try {
    switch (data[0]) {
      case 'e':
        try_engine(text);
        break;
      case 'm':
        fuzz::expect(configuration::parse_bytes(text) >= 0, "a negative size", text);
        break;
      case 'f':
        parse_filter<std::int32_t>(text);
        parse_filter<double>(text);
        break;
      default:
        return -1;
    }
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
