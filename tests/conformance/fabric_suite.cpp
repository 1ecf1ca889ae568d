// The fixture: machines by spec, and runs with bounds.
#include "conformance/fabric_suite.hpp"

namespace gossamer::conformance {

namespace {
std::map<std::string, std::unique_ptr<machine>>& machines() {
  static std::map<std::string, std::unique_ptr<machine>> open;
  return open;
}
}  // namespace

void fabric::SetUp() {
  auto& slot = machines()[GetParam()];
  if (slot == nullptr) {
    try {
      static_cast<void>(resolve_spec(GetParam()));
    } catch (const usage_error& e) {
      GTEST_SKIP() << e.what();
    }
    slot = std::make_unique<machine>(machine::open(GetParam()));
  }
  machine_ = slot.get();
}

void fabric::TearDownTestSuite() {
  machines().clear();
}

void fabric::run(const std::function<void(rank&)>& program, run_options options) {
  if (!options.deadline) options.deadline = 30s;
  if (options.arenas.empty()) options.arenas = {{std::size_t{40} << 20, std::size_t{40} << 20}};
  m().run(program, options);
}

int fabric::ranks_here() {
  int n = 0;
  for (int r = 0; r < p(); ++r) n += here(r) ? 1 : 0;
  return n;
}

std::string fabric::first_failure(const std::string& text) {
  const std::string mark = " failed: ";
  const auto at = text.find(mark);
  if (text.find(" stopped because rank ") == std::string::npos || at == std::string::npos)
    return text;
  return text.substr(at + mark.size());
}

}  // namespace gossamer::conformance
