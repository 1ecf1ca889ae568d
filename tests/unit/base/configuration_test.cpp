// The environment's variables and byte counts: what is taken, what is refused and in which words.
#include "gossamer/base/configuration.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"
#include "unit/base/environment.hpp"

namespace {

namespace configuration = gossamer::configuration;
using gossamer::message_of, gossamer::usage_error;

constexpr std::int64_t kib = 1024, mib = kib * 1024, gib = mib * 1024, tib = gib * 1024;

TEST(parse_bytes, takes_plain_numbers_and_every_suffix) {
  EXPECT_EQ(configuration::parse_bytes("0"), 0);
  EXPECT_EQ(configuration::parse_bytes("4096"), 4096);
  EXPECT_EQ(configuration::parse_bytes("4096B"), 4096);
  EXPECT_EQ(configuration::parse_bytes("1K"), kib);
  EXPECT_EQ(configuration::parse_bytes("512M"), 512 * mib);
  EXPECT_EQ(configuration::parse_bytes("16G"), 16 * gib);
  EXPECT_EQ(configuration::parse_bytes("2T"), 2 * tib);
  EXPECT_EQ(configuration::parse_bytes("16GB"), 16 * gib);
  EXPECT_EQ(configuration::parse_bytes("16GiB"), 16 * gib);
  EXPECT_EQ(configuration::parse_bytes("16g"), 16 * gib);
}

TEST(parse_bytes, takes_fractions_and_a_space_before_the_suffix) {
  EXPECT_EQ(configuration::parse_bytes("1.5GiB"), 3 * gib / 2);
  EXPECT_EQ(configuration::parse_bytes("1.5 GiB"), 3 * gib / 2);
  EXPECT_EQ(configuration::parse_bytes("1e3"), 1000);
}

TEST(parse_bytes, keeps_every_bit_of_large_whole_counts) {
  EXPECT_EQ(configuration::parse_bytes("4503599627370497"), 4503599627370497);
}

TEST(parse_bytes, shows_a_text_on_one_line) {
  EXPECT_EQ(
      message_of<usage_error>([] { configuration::parse_bytes("1\n" + std::string(999, 'x')); }),
      "not a number of bytes: '1?" + std::string(30, 'x') + "' (examples: 4096, 512M, 16G)");
}

class parse_bytes_refuses : public testing::TestWithParam<const char*> {};

TEST_P(parse_bytes_refuses, and_quotes_the_text) {
  const std::string text = GetParam();
  EXPECT_EQ(message_of<usage_error>([&] { configuration::parse_bytes(text); }),
            "not a number of bytes: '" + text + "' (examples: 4096, 512M, 16G)");
}

INSTANTIATE_TEST_SUITE_P(texts, parse_bytes_refuses,
                         testing::Values("", " ", "G", "abc", "12Q", "12Gi", "12GX", "12 G B", "-1",
                                         "-0.5G", "nan", "inf", "1e30", "9000000T", "4,5G",
                                         "0x10"));

TEST(format_bytes, picks_the_largest_unit_below_the_count) {
  EXPECT_EQ(configuration::format_bytes(0), "0 B");
  EXPECT_EQ(configuration::format_bytes(1023), "1023 B");
  EXPECT_EQ(configuration::format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(configuration::format_bytes(3 * gib / 2), "1.5 GiB");
  EXPECT_EQ(configuration::format_bytes(3 * tib), "3.0 TiB");
}

TEST(format_bytes, is_read_back_by_parse_bytes) {
  for (std::int64_t bytes : {std::int64_t{1}, 1000 * kib, 512 * mib, 16 * gib, 2 * tib})
    EXPECT_EQ(configuration::parse_bytes(configuration::format_bytes(bytes)), bytes);
}

TEST(timeout_variable, scales_the_default_deadline) {
  {
    scoped_variable unset("GOSSAMER_TIMEOUT", nullptr);
    EXPECT_EQ(configuration::timeout_factor(), 1.0);
    EXPECT_EQ(configuration::default_deadline(), std::chrono::seconds(60));
  }
  scoped_variable set("GOSSAMER_TIMEOUT", "2.5");
  EXPECT_EQ(configuration::timeout_factor(), 2.5);
  EXPECT_EQ(configuration::default_deadline(), std::chrono::seconds(150));
}

TEST(timeout_variable, empty_counts_as_unset) {
  scoped_variable empty("GOSSAMER_TIMEOUT", "");
  EXPECT_EQ(configuration::timeout_factor(), 1.0);
}

TEST(timeout_variable, refuses_what_is_no_positive_number) {
  for (const char* text : {"0", "-1", "fast", "2x", "nan", "inf"}) {
    scoped_variable set("GOSSAMER_TIMEOUT", text);
    EXPECT_EQ(message_of<usage_error>([] { configuration::timeout_factor(); }),
              std::string("GOSSAMER_TIMEOUT: not a positive number: ") + text);
  }
}

TEST(timeout_variable, a_huge_factor_stays_a_positive_deadline) {
  scoped_variable set("GOSSAMER_TIMEOUT", "1e300");
  EXPECT_GT(configuration::default_deadline(), std::chrono::hours(24));
}

TEST(memory_variable, is_a_byte_count_or_absent) {
  {
    scoped_variable unset("GOSSAMER_MEMORY", nullptr);
    EXPECT_FALSE(configuration::memory().has_value());
  }
  scoped_variable set("GOSSAMER_MEMORY", "3G");
  EXPECT_EQ(configuration::memory(), 3 * gib);
}

TEST(memory_variable, names_itself_when_it_is_malformed) {
  scoped_variable set("GOSSAMER_MEMORY", "lots");
  EXPECT_EQ(message_of<usage_error>([] { configuration::memory(); }),
            "GOSSAMER_MEMORY: not a number of bytes: 'lots' (examples: 4096, 512M, 16G)");
}

TEST(peer_variable, is_on_unless_switched_off) {
  for (const char* text : {static_cast<const char*>(nullptr), "", "on", "1"}) {
    scoped_variable set("GOSSAMER_PEER", text);
    EXPECT_EQ(configuration::peer(), configuration::peer_access::on);
  }
  for (const char* text : {"off", "0"}) {
    scoped_variable set("GOSSAMER_PEER", text);
    EXPECT_EQ(configuration::peer(), configuration::peer_access::off);
  }
  scoped_variable set("GOSSAMER_PEER", "no-atomics");
  EXPECT_EQ(configuration::peer(), configuration::peer_access::no_atomics);
}

TEST(peer_variable, refuses_other_words) {
  scoped_variable set("GOSSAMER_PEER", "maybe");
  EXPECT_EQ(message_of<usage_error>([] { configuration::peer(); }),
            "GOSSAMER_PEER: expected on, no-atomics or off, got maybe");
}

TEST(shared_kernels_variable, is_on_unless_switched_off) {
  {
    scoped_variable unset("GOSSAMER_SHARED_KERNELS", nullptr);
    EXPECT_TRUE(configuration::shared_kernels_allowed());
  }
  scoped_variable off("GOSSAMER_SHARED_KERNELS", "off");
  EXPECT_FALSE(configuration::shared_kernels_allowed());
}

TEST(mpi_cuda_variable, has_three_values) {
  using configuration::gpu_messages;
  const std::pair<const char*, gpu_messages> values[] = {{nullptr, gpu_messages::automatic},
                                                         {"auto", gpu_messages::automatic},
                                                         {"on", gpu_messages::straight},
                                                         {"off", gpu_messages::pinned}};
  for (const auto& [text, meaning] : values) {
    scoped_variable set("GOSSAMER_MPI_CUDA", text);
    EXPECT_EQ(configuration::mpi_cuda(), meaning);
  }
  scoped_variable wrong("GOSSAMER_MPI_CUDA", "maybe");
  EXPECT_THROW(configuration::mpi_cuda(), usage_error);
}

TEST(machine_variable, is_handed_on_as_written) {
  {
    scoped_variable unset("GOSSAMER_MACHINE", nullptr);
    EXPECT_FALSE(configuration::default_machine().has_value());
  }
  scoped_variable set("GOSSAMER_MACHINE", "cpu:2x1");
  EXPECT_EQ(configuration::default_machine(), "cpu:2x1");
}

}  // namespace
