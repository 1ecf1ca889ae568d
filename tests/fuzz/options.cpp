// Fuzzes what stands behind an engine's name ("async:balance=steal"), numbers of bytes
// and predicates of filters. The first byte says which of them the rest is.
#include "algorithm/driver/option_table.hpp"
#include "checks.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"

namespace {

using namespace gossamer;

/// An option that was taken is one of its table's; asked for once more by its own text, it is the
/// same.
template <class Options>
void try_engine(const std::string& text) {
  Options options;
  options.engine = text;
  const Options taken = algorithm_detail::with_engine_options(options);
  std::string again = taken.engine;
  char before = ':';
  for (const auto& o : algorithm_detail::table_of<Options>().options) {
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
      case 'b':
        try_engine<bfs_options>(text);
        break;
      case 'c':
        try_engine<cg_options>(text);
        break;
      case 'k':
        try_engine<components_options>(text);
        break;
      case 'p':
        try_engine<pagerank_options>(text);
        break;
      case 's':
        try_engine<sssp_options>(text);
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
