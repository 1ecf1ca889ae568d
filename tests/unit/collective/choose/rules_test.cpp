// Selection rules: text in and out, errors with their place, where rules come from.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/collective/rules.hpp"
#include "unit/collective/collective_fixture.hpp"

namespace gossamer {
namespace {

using op = collective_op;

std::string error_of(std::string_view text) {
  return message_of<usage_error>([&] { selection_rules::parse(text); });
}

TEST(rules, choose_by_size) {
  const auto rules = selection_rules::parse(
      "allreduce:0-4k:@one_shot,4k-1m:@two_shot,1m-inf:@ring; barrier:0-inf:@direct");
  EXPECT_EQ(rules.algorithm(op::allreduce, 0), "one_shot");
  EXPECT_EQ(rules.algorithm(op::allreduce, 4095), "one_shot");
  EXPECT_EQ(rules.algorithm(op::allreduce, 4096), "two_shot");
  EXPECT_EQ(rules.algorithm(op::allreduce, std::size_t{1} << 40), "ring");
  EXPECT_EQ(rules.algorithm(op::barrier, 0), "direct");
  EXPECT_EQ(rules.algorithm(op::gather, 8), "");
}

TEST(rules, print_what_they_parse) {
  const std::string text =
      "scatter:0-inf:@direct\nallreduce:0-1000:@one_shot,1000-4k:@bruck,4k-3g:@ring,3g-inf:@two_"
      "shot\n";
  const auto rules = selection_rules::parse(text);
  EXPECT_EQ(rules.text(), text);
  EXPECT_EQ(selection_rules::parse(rules.text()), rules);
  const auto& defaults = selection_rules::defaults();
  EXPECT_EQ(selection_rules::parse(defaults.text()), defaults);
  for (int o = 0; o < collective_ops; ++o)
    EXPECT_NE(defaults.algorithm(static_cast<op>(o), 8), "") << o;
}

TEST(rules, take_blanks_and_comments) {
  EXPECT_EQ(selection_rules::parse("# tuned\n\n gather : 0 - inf : @binomial ; # small\n").text(),
            "gather:0-inf:@binomial\n");
  EXPECT_EQ(selection_rules::parse("").text(), "");
}

TEST(rules, errors_say_where) {
  EXPECT_EQ(error_of("allreduce:0-4k:@tree"),
            "rules:1:17: expected an algorithm of allreduce (one_shot, two_shot, "
            "recursive_doubling, dissemination, bruck, recursive_halving, ring, relay, nccl), "
            "found 'tree'");
  EXPECT_EQ(error_of("barrier:0-inf:@direct\nallgather:1k-inf:@ring"),
            "rules:2:11: expected a range from 0, found '1k-inf:@ring'");
  EXPECT_EQ(error_of("allgather:0-4k:@ring,8k-inf:@ring"),
            "rules:1:22: expected a range from 4k, found '8k-inf:@ring'");
  EXPECT_EQ(error_of("allgather:0-4k:@ring"),
            "rules:1:21: expected a range up to inf, found the end");
  EXPECT_EQ(error_of("allgather:0-0:@ring"),
            "rules:1:13: expected an end above 0, found '0:@ring'");
  EXPECT_EQ(error_of("allgather:0-4q:@ring"),
            "rules:1:13: expected a size (4096, 4k, 1m, inf), found '4q:@ring'");
  EXPECT_EQ(error_of("allgather 0-inf:@ring"), "rules:1:11: expected ':', found '0-inf:@ring'");
  EXPECT_EQ(error_of("allgather:0-inf:ring"), "rules:1:17: expected '@', found 'ring'");
  EXPECT_EQ(error_of("allgather:0-inf:@ring barrier:0-inf:@direct"),
            "rules:1:23: expected ',' or ';', found 'barrier:0-inf:@direct'");
  EXPECT_EQ(error_of("@ring"), "rules:1:1: expected an operation, found '@ring'");
  EXPECT_EQ(error_of("sum:0-inf:@ring").substr(0, 31), "rules:1:1: no collective 'sum' ");
}

TEST(rules, errors_are_one_short_line) {
  EXPECT_EQ(error_of("allgather:0-4k:@ring,8k-in\x1b\xff:@ring"),
            "rules:1:22: expected a range from 4k, found '8k-in??:@ring'");
  EXPECT_EQ(error_of("barrier\x07"), "rules:1:8: expected ':', found '?'");
  for (const std::string start : {"", "barrier:", "barrier:0-", "barrier:0-inf:@"})
    EXPECT_LT(error_of(start + std::string(10000, 'x')).size(), 400u) << start;
}

TEST(rules, refuse_sizes_that_no_memory_has) {
  // 2^34 g are 2^64 bytes, which wrapped to 0.
  EXPECT_EQ(error_of("barrier:0-17179869184g:@direct,17179869184g-inf:@direct"),
            "rules:1:11: expected a size (4096, 4k, 1m, inf), found "
            "'17179869184g:@direct'");
  const auto rules =
      selection_rules::parse("barrier:0-17179869183g:@direct,17179869183g-inf:@direct");
  EXPECT_EQ(selection_rules::parse(rules.text()), rules);
}

TEST(rules, set_checks_its_ranges) {
  selection_rules rules;
  rules.set(op::gather, {{64, "direct"}, {selection_rules::no_end, "binomial"}});
  EXPECT_EQ(rules.text(), "gather:0-64:@direct,64-inf:@binomial\n");
  EXPECT_THROW(rules.set(op::gather, {{64, "direct"}}), usage_error);
  EXPECT_THROW(rules.set(op::gather, {{64, "direct"}, {64, "binomial"}}), usage_error);
  EXPECT_THROW(rules.set(op::gather, {{selection_rules::no_end, "ring"}}), usage_error);
}

/// Sets a variable for one test.
class setting {
 public:
  setting(const char* name, const std::string& value) : name_(name) {
    if (const char* was = std::getenv(name)) was_ = was, had_ = true;
    setenv(name, value.c_str(), 1);
  }
  ~setting() {
    if (had_)
      setenv(name_, was_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string was_;
  bool had_ = false;
};

std::string planned(int p, const plan_options& options = {}) {
  std::string name;
  open_cpu(p).run([&](rank& r) {
    std::vector<int> x(4), y(4);
    const auto plan = plan_allreduce<int>(r, x, y, reduction::sum, options);
    if (r.id() == 0) name = plan.what().algorithm().name;
  });
  return name;
}

TEST(rules, come_from_options_environment_file_and_defaults) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "gossamer-rules-test";
  std::filesystem::remove_all(folder);
  const setting config("XDG_CONFIG_HOME", folder.string());
  EXPECT_EQ(planned(2), "one_shot");
  // Tuned, for this machine only.
  const auto path = selection_rules::file_of(open_cpu(2));
  EXPECT_EQ(path, (folder / "gossamer/collectives/cpu_2x1.rules").string());
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "allreduce:0-inf:@two_shot\n";
  EXPECT_EQ(planned(2), "two_shot");
  EXPECT_EQ(planned(3), "one_shot");
  {
    const setting given("GOSSAMER_COLLECTIVES", "allreduce:0-inf:@bruck");
    EXPECT_EQ(planned(2), "bruck");
    plan_options options;
    options.rules = "allreduce:0-inf:@ring";
    EXPECT_EQ(planned(2, options), "ring");
    options.algorithm = "dissemination";
    EXPECT_EQ(planned(2, options), "dissemination");
  }
  {
    std::ofstream(folder / "mine") << "allreduce:0-inf:@recursive_doubling";
    const setting given("GOSSAMER_COLLECTIVES", (folder / "mine").string());
    EXPECT_EQ(planned(2), "recursive_doubling");
  }
  {
    const setting given("GOSSAMER_COLLECTIVES", "/nowhere/rules");
    EXPECT_THROW(planned(2), input_error);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gossamer
