// Decoders of .xz from outside: any reader takes what they give, in pieces of any size.
#include "gossamer/graph/xz_decoder.hpp"

#include "unit/graph/io/io_testing.hpp"

namespace gossamer {
namespace {

using namespace io_testing;

constexpr std::string_view magic{
    "\xfd"
    "7zXZ\0",
    6};

struct decoder_for_a_test {
  explicit decoder_for_a_test(const std::function<xz_decoder()>& make) { use_xz_decoder(make); }
  ~decoder_for_a_test() { use_xz_decoder({}); }
};

/// What follows the magic is what comes out, at most `step` bytes a call.
std::function<xz_decoder()> plain(std::size_t step, int* made = nullptr) {
  return [=]() -> xz_decoder {
    if (made != nullptr) ++*made;
    return [step, begun = false, wanted = true, kept = std::string()](
               std::string_view more, std::size_t room) mutable -> decoded_part {
      EXPECT_TRUE(wanted || more.empty());
      kept += more.substr(begun ? 0 : magic.size());
      begun = true;
      const std::string part = kept.substr(0, std::min(step, room));
      kept.erase(0, part.size());
      wanted = kept.empty();
      return {part, wanted};
    };
  };
}

TEST(xz_decoder, feeds_text_and_binary_readers) {
  for (const char* name : {"tiny.mtx", "tiny.gr", "tiny-v1.gr", "tiny.wsg", "tiny.gsr"}) {
    const arc_list want = arcs_of(read_graph(data_file(name)));
    const scratch_folder folder;
    const std::string path = folder.file(std::string(name) + ".xz");
    std::ofstream(path, std::ios::binary) << magic << contents(data_file(name));
    for (const std::size_t step : {1, 7, 1 << 20}) {
      int made = 0;
      const decoder_for_a_test guard(plain(step, &made));
      EXPECT_EQ(arcs_of(read_graph(path)), want) << name << " by " << step;
      EXPECT_EQ(made, 2) << "once to recognise it, once to read it";
    }
  }
}

TEST(xz_decoder, takes_files_longer_than_a_block) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + " " + std::to_string(i / 2) + "\n";
  const decoder_for_a_test guard(plain(100000));
  EXPECT_EQ(read_text(std::string(magic) + text, file_format::edge_list).arcs(), 300000);
}

TEST(xz_decoder, errors_name_file_and_place) {
  const decoder_for_a_test guard([] {
    return [](std::string_view, std::size_t) -> decoded_part {
      throw input_error("xz data is damaged");
    };
  });
  EXPECT_EQ(complaint(std::string(magic) + "1 2\n", file_format::edge_list),
            "FILE: byte 10: xz data is damaged");
}

TEST(xz_decoder, memory_is_planned_for_what_it_gives) {
  const decoder_for_a_test guard([] {
    return [](std::string_view, std::size_t room) -> decoded_part {
      return {std::string(room, '\0'), false};  // without end
    };
  });
  read_options options;
  options.memory_limit = 1 << 22;
  EXPECT_THROW(read_text(std::string(magic), file_format::gapbs, options), capacity_error);
}

TEST(xz_decoder, goes_again) {
  { const decoder_for_a_test guard(plain(1)); }
  const std::string damaged = std::string(magic) + "1 2\n";
  if (missing_option("x.xz") == nullptr) {
    EXPECT_TRUE(complaint(damaged, file_format::edge_list).starts_with("FILE: byte "));
  } else {
    EXPECT_THROW(read_text(damaged, file_format::edge_list), not_compiled);
  }
}

}  // namespace
}  // namespace gossamer
