// What messages show of text from outside.
#include "gossamer/base/shown.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(Shown, KeepsWhatPrints) {
  EXPECT_EQ(shown("cpu:2 + \"x\" ~"), "cpu:2 + \"x\" ~");
  EXPECT_EQ(shown("Köln 東京 🜚"), "Köln 東京 🜚");
  EXPECT_TRUE(prints("Köln"));
  EXPECT_EQ(shown(""), "");
}

TEST(Shown, IsOneLineWithoutControls) {
  EXPECT_EQ(shown("a\nb\tc\r\x1b[2J\x7f"), "a?b?c??[2J?");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a?b");
  // The next line, a line separator, a mark that turns the direction of text.
  EXPECT_EQ(shown("\u0085\u2028\u202e"), "???");
  EXPECT_FALSE(prints("a\n"));
}

TEST(Shown, WhatIsNoUtf8) {
  EXPECT_EQ(shown("\xff\xc0\xaf"), "???");       // never there; '/' in two bytes
  EXPECT_EQ(shown("\xe0\x80\xaf"), "???");       // and in three
  EXPECT_EQ(shown("\xed\xa0\x80"), "???");       // half of a pair
  EXPECT_EQ(shown("\xf4\x90\x80\x80"), "????");  // beyond the last
  EXPECT_EQ(shown("a\xc3"), "a?");               // cut short
  EXPECT_EQ(shown("\xe6\x9d"
                  "b"),
            "??b");
}

TEST(Shown, IsCutBetweenCharacters) {
  EXPECT_EQ(shown(std::string(40, 'x')), std::string(32, 'x'));
  EXPECT_EQ(shown("ööö", 5), "öö");
  EXPECT_EQ(shown("öa", 1), "");
}

}  // namespace
}  // namespace gossamer
