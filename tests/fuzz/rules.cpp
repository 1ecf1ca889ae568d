// Fuzzes rules for collectives: a text is refused with its line and column, or it holds rules that
// come back from their own text and name an algorithm for every size.
#include "gossamer/collective/rules.hpp"
#include "checks.hpp"
#include "gossamer/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  selection_rules rules;
  try {
    rules = selection_rules::parse(fuzz::text_of(data, size), "fuzz");
  } catch (const usage_error& e) {
    fuzz::check_message(e.what());
    fuzz::expect(std::string_view(e.what()).starts_with("fuzz:"), "no line named", e.what());
    return 0;
  }
  const std::string text = rules.text();
  try {
    fuzz::expect(selection_rules::parse(text) == rules, "other rules the second time", text);
  } catch (const usage_error& e) {
    fuzz::fail("rules whose text is refused", e.what());
  }
  selection_rules all = selection_rules::defaults();
  all.override_with(rules);
  for (int op = 0; op < collective_ops; ++op)
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5000}, selection_rules::no_end - 1})
      fuzz::expect(!all.algorithm(static_cast<collective_op>(op), bytes).empty(),
                   "a size without an algorithm", text);
  return 0;
}
