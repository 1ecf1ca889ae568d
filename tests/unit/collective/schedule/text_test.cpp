// Schedules as text and as JSON.
#include <gtest/gtest.h>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {
namespace {

collective_request allreduce(int p, std::size_t count) {
  collective_request q;
  q.op = collective_op::allreduce;
  q.ranks = p;
  q.count = count;
  q.element = 8;
  return q;
}

TEST(schedule_text, of_a_ring) {
  EXPECT_EQ(schedule(allreduce(2, 4), "one_shot").text(),
            "allreduce one_shot: 2 ranks, 4 elements of 8 bytes\n"
            "rank 0: 3 steps, 8 elements of scratch, 2 signals\n"
            "   0  put input[0..4) -> 1 scratch[0..4), signal 0\n"
            "   0  wait signal 1 from 1\n"
            "   0  reduce input[0..4) + scratch[4..8) -> output[0..4)\n"
            "rank 1: 3 steps, 8 elements of scratch, 2 signals\n"
            "   0  put input[0..4) -> 0 scratch[4..8), signal 1\n"
            "   0  wait signal 0 from 0\n"
            "   0  reduce scratch[0..4) + input[0..4) -> output[0..4)\n");
}

TEST(schedule_text, of_flow_control_and_many_operands) {
  auto q = allreduce(6, 1);
  q.op = collective_op::reduce;
  const auto text = schedule(q, "direct").text();
  EXPECT_NE(text.find("   -  wait signal 6 from 0, 2 epochs ago\n"
                      "   0  put input[0..1) -> 0 scratch[1..2), signal 1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("   0  reduce input[0..1) + scratch[1..2) + … + scratch[5..6) (6 operands) -> "
                "output[0..1)\n"
                "   -  put nothing -> 1, signal 6\n"),
      std::string::npos)
      << text;
}

TEST(schedule_text, json) {
  auto q = allreduce(1, 3);
  EXPECT_EQ(schedule(q, "one_shot").json(),
            R"({"operation":"allreduce","algorithm":"one_shot","ranks":1,"root":0,"count":3,)"
            R"("element":8,"in_place":false,"direct":false,"parts":[{"rank":0,"scratch":0,)"
            R"("signals":1,"steps":[{"kind":"copy","round":0,"count":3,"from":{"buffer":"input",)"
            R"("offset":0},"to":{"buffer":"output","offset":0}}]}]})");
  q.ranks = 3;
  const auto text = schedule(q, "one_shot").json();
  EXPECT_NE(text.find(R"({"kind":"put","round":0,"peer":1,"signal":0,"chain":0,"count":3,)"
                      R"("from":{"buffer":"input","offset":0},)"
                      R"("to":{"buffer":"scratch","offset":0}})"),
            std::string::npos);
  EXPECT_NE(text.find(R"({"kind":"wait","round":0,"peer":2,"signal":2,"lag":0})"),
            std::string::npos);
  EXPECT_NE(text.find(R"("parts":3,"stride":3,"own_part":0,"own":{"buffer":"input","offset":0}})"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer
