// Wirings: every mistake is refused by name, and the graph is printed.
#include "gossamer/dataflow/wiring.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer::dataflow {
namespace {

class wirings : public ::testing::Test {
 protected:
  /// The text of the usage_error that `act` meets.
  static std::string refused(const std::function<void()>& act) {
    return message_of<usage_error>([&] { act(); });
  }
  machine m_ = machine::open("cpu:2x1");
  wiring w_{m_};
};

TEST_F(wirings, refuse_self_loops) {
  const auto a = w_.add_endpoint(0, "a");
  EXPECT_EQ(refused([&] { w_.connect(a, a); }),
            "dataflow: endpoint 'a' cannot be linked to itself");
}

TEST_F(wirings, refuse_two_links_between_a_pair) {
  const auto a = w_.device(0), b = w_.device(1);
  w_.connect(a, b);
  w_.connect(b, a);  // the other way is another link
  EXPECT_EQ(refused([&] { w_.connect(a, b); }),
            "dataflow: 'rank 0' and 'rank 1' are linked already");
}

TEST_F(wirings, refuse_links_between_routers) {
  const auto a = w_.add_router(1, 1, ring(), "a"), b = w_.add_router(1, 1, ring(), "b");
  EXPECT_EQ(refused([&] { w_.connect(a, b); }),
            "dataflow: router 'a' cannot feed router 'b'; put an endpoint between them");
}

TEST_F(wirings, refuse_routers_without_inputs_outputs_or_policy) {
  EXPECT_EQ(refused([&] { w_.add_router(0, 1, ring(), "r"); }),
            "dataflow: router 'r' needs an input");
  EXPECT_EQ(refused([&] { w_.add_router(1, 0, ring(), "r"); }),
            "dataflow: router 'r' needs an output");
  EXPECT_EQ(refused([&] {
              w_.add_router(1, 1, {"none", {}}, "r");
            }),
            "dataflow: router 'r' has no function to choose by");
}

TEST_F(wirings, refuse_routers_that_lack_links) {
  const auto r = w_.add_router(1, 2, ring(), "r");
  const auto a = w_.device(0);
  w_.connect(a, w_.device(1));
  EXPECT_EQ(refused([&] { w_.check(); }), "dataflow: router 'r' has links to 0 of its 1 inputs");
  w_.connect(a, r);
  EXPECT_EQ(refused([&] { w_.check(); }), "dataflow: router 'r' has links from 0 of its 2 outputs");
  w_.connect(r, w_.device(0));
  w_.connect(r, w_.device(1));
  w_.check();
}

TEST_F(wirings, refuse_more_links_than_a_router_has_ends) {
  const auto r = w_.add_router(1, 1, ring(), "r");
  w_.connect(w_.device(0), r);
  w_.connect(r, w_.device(0));
  EXPECT_EQ(refused([&] { w_.connect(w_.device(1), r); }),
            "dataflow: all inputs (1) of router 'r' are linked already");
  EXPECT_EQ(refused([&] { w_.connect(r, w_.device(1)); }),
            "dataflow: all outputs (1) of router 'r' are linked already");
}

TEST_F(wirings, refuse_endpoints_that_nothing_joins) {
  EXPECT_EQ(refused([&] { w_.check(); }), "dataflow: nothing is linked");
  w_.connect(w_.device(0), w_.device(1));
  w_.add_endpoint(1, "alone");
  EXPECT_EQ(refused([&] { w_.check(); }), "dataflow: endpoint 'alone' has no link");
}

TEST_F(wirings, refuse_ranks_names_and_endpoints_that_are_not_there) {
  EXPECT_EQ(refused([&] { w_.device(2); }), "dataflow: no rank 2 among 2");
  EXPECT_EQ(refused([&] { w_.add_endpoint(-1, "a"); }), "dataflow: no rank -1 among 2");
  w_.add_endpoint(0, "a");
  EXPECT_EQ(refused([&] { w_.add_endpoint(1, "a"); }), "dataflow: the name 'a' is taken");
  EXPECT_EQ(refused([&] { w_.connect({0}, {5}); }), "dataflow: no endpoint 5 among 1");
}

TEST_F(wirings, refuse_impossible_numbers_of_buffers) {
  const auto a = w_.device(0), b = w_.device(1);
  for (const int n : {-1, 65})
    EXPECT_EQ(refused([&] {
                w_.connect(a, b, {1024, n});
              }),
              "dataflow: link 'rank 0 -> rank 1': " + std::to_string(n) +
                  " buffers; 1 to 64 are possible, 0 is a choice");
  EXPECT_EQ(refused([&] {
              w_.connect(a, b, {std::size_t{1} << 62, 4});
            }),
            "dataflow: link 'rank 0 -> rank 1': packets of more than 1 TiB");
}

TEST_F(wirings, know_a_rank_by_one_endpoint) {
  EXPECT_EQ(w_.device(1), w_.device(1));
  EXPECT_NE(w_.device(1), w_.device(0));
}

TEST_F(wirings, plan_the_memory_of_every_lane) {
  const auto r = w_.add_router(2, 1, gather(), "r");
  w_.connect(w_.device(0), r);
  w_.connect(w_.device(1), r);
  w_.connect(r, w_.add_endpoint(1, "sink"), {4096, 3});
  const auto plans = w_.arenas();
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].native, 256u) << "nothing arrives at rank 0";
  EXPECT_EQ(plans[1].native, 2 * 3 * 4096u + 256u) << "three buffers for each of two senders";
}

TEST_F(wirings, print_themselves) {
  const auto host = w_.add_endpoint(0, "the \"host\"");
  const auto r = w_.add_router(1, 2, any_device(), "r");
  w_.connect(host, r, {1 << 20, 0});
  w_.connect(r, w_.device(0), {4096, 3});
  w_.connect(r, w_.device(1), {0, 0});
  const auto text = w_.dot();
  for (const char* part :
       {"digraph dataflow {", "subgraph cluster_0", "subgraph cluster_1",
        "[shape=box, label=\"the \\\"host\\\"\"]", "[shape=ellipse, label=\"r\nany device\"]",
        "n0 -> n1 [label=\"<= 1.0 MiB\"]", "n1 -> n2 [label=\"3 x 4.0 KiB\"]",
        "n1 -> n3 [label=\"2 x 256.0 KiB\"]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  const auto json = w_.json();
  for (const char* part : {R"({"name":"the \"host\"","rank":0,"policy":null})",
                           R"({"name":"r","rank":null,"policy":"any device"})",
                           R"({"from":0,"to":1,"packet":1048576,"buffers":null})",
                           R"({"from":1,"to":2,"packet":4096,"buffers":3})",
                           R"({"from":1,"to":3,"packet":262144,"buffers":2})"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " is not in\n" << json;
}

TEST_F(wirings, print_names_of_several_lines) {
  w_.connect(w_.add_endpoint(0, "two\nlines"), w_.device(1));
  EXPECT_NE(w_.json().find(R"({"name":"two\u000alines")"), std::string::npos) << w_.json();
  EXPECT_NE(w_.dot().find("\"two\nlines\""), std::string::npos) << w_.dot();
}

}  // namespace
}  // namespace gossamer::dataflow
