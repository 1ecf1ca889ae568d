// Fuzzes machine specs: refused in one line, or ranks that a machine can have.
#include <cstdlib>

#include "gossamer/machine/spec.hpp"
#include "modelled.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  unsetenv("GOSSAMER_MACHINE");  // what `auto` stands for
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view spec = fuzz::text_of(data, size);
  // Those would read files of this machine; `systems` has their contents.
  if (spec.find('/') != spec.npos || spec.find(".toml") != spec.npos) return -1;
  try {
    const auto ranks = resolve_spec(spec);
    fuzz::expect(!ranks.empty() && ranks.size() <= 4096, "a number of ranks", spec);
    for (const device& d : ranks) {
      fuzz::expect(d.threads >= 1 && d.threads <= 4096, "a number of threads", spec);
      fuzz::expect(d.memory > 0 && d.units >= 1, "a rank without memory or units", spec);
    }
    if (ranks.front().model) fuzz::try_system(ranks.front().model);
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
