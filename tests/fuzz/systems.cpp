// Fuzzes descriptions of systems (TOML): refused with their line, or a system that can be modelled.
#include "machine/system/load.hpp"
#include "modelled.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  try {
    fuzz::try_system(model::parse_system(fuzz::text_of(data, size), "fuzz"));
  } catch (const error& e) {
    fuzz::check_message(e.what());
  }
  return 0;
}
