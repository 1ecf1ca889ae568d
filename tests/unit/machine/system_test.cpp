// Descriptions of systems: the reader's errors with file and line, changes, and the shipped files.
#include "gossamer/machine/system.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer::model {

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

class file {
 public:
  explicit file(const std::string& text) : path_(::testing::TempDir() + "system_test.toml") {
    std::ofstream(path_) << text;
  }
  ~file() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void refused(const std::string& text, const std::string& why) {
  const file f(text);
  try {
    load_system(f.path());
    ADD_FAILURE() << "taken, though " << why;
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
  }
}

}  // namespace

TEST(system, a_file_reads_like_the_compiled_in_text) {
  const std::string text(system_text("peach2"));
  const file f(text);
  const auto a = load_system(f.path()), b = load_system("peach2");
  EXPECT_EQ(a->title, b->title);
  EXPECT_EQ(a->transfers.size(), b->transfers.size());
  EXPECT_EQ(a->network.size, (std::vector<int>{2, 8}));
  EXPECT_EQ(a->kind_of(memory::device, memory::host, 100, false).bandwidth, 2.8e9);
  EXPECT_EQ(a->kind_of(memory::host, memory::host, 128, false).name, "pio");
  EXPECT_EQ(a->kind_of(memory::host, memory::host, 129, false).name, "dma");
  EXPECT_EQ(a->kind_of(memory::device, memory::device, 8192, true).name, "tca-copy");
  EXPECT_EQ(a->kind_of(memory::device, memory::device, 8193, true).name, "cudaMemcpy");
}

TEST(system, bad_files_are_refused_with_their_line) {
  const std::string good(system_text("peach2"));
  refused(replaced(good, "nodes = 16", "nodes = sixteen"),
          "system_test.toml:9: 'sixteen' is no number");
  refused(replaced(good, "nodes = 16", "nodes"), ":9: expected key = value");
  refused(replaced(good, "nodes = 16", "nodes = 16\nnodes = 17"), ":10: key 'nodes' stands there");
  refused(replaced(good, "nodes = 16", "noodles = 16"), ":9: unknown key 'noodles'");
  refused(replaced(good, "[network]", "[network"), ":12: a header that is not closed");
  refused(replaced(good, "[network]", "[net]"), ":12: unknown table 'net'");
  refused(replaced(good, "kind = \"torus\"", "kind = \"knot\""),
          ":13: kind: expected one of torus, ring, all_to_all, fat_tree, pcie_tree");
  refused(replaced(good, "bandwidth = 3.66e9", "bandwidth = -1"), "a number below 0");
  refused(replaced(good, "bandwidth = 3.5e9", "bandwidth = 0"), "bandwidth: expected a number >=");
  refused(replaced(good, "bandwidth = 3.5e9", "bandwidth = 1e-9"), "expected a number >= 1");
  refused(replaced(good, "bandwidth = 3.66e9", "bandwidth = 1e-9"), "expected numbers >= 1");
  refused(replaced(good, "bandwidth = 3.66e9", "bandwidth = 1e300"), "1e+300 is above 1e+18");
  refused(replaced(good, "bandwidth = 3.66e9", "bandwidth = 1e9\nhost_bandwidth = 1e-9"),
          "host_bandwidth: expected 0 (no limit) or a number >= 1");
  refused(replaced(good, "launch = 14.0e-6", "launch = 1e300"), "launch: 1e+300 is above 1e+18");
  refused(replaced(good, "launch = 14.0e-6", "launch = 014"), "'014' is no number");
  refused(replaced(good, "poll = 50e-9", "pool = 50e-9"), "key 'poll' is missing");
  refused(good.substr(0, good.find("[[copy]]")), "expected the tables network, kernel");
  refused(replaced(good, "[software]", "[processor]"), "table 'processor' stands there already");
  refused("name = \"x\\n\"", ":1: '\"x\\n\"' is no number, \"text\"");
}

TEST(system, what_does_not_print_is_refused) {
  const std::string good(system_text("peach2"));
  const std::string why = ":9: a character that does not print, or no UTF-8";
  refused(replaced(good, "nodes = 16", "nodes = 16 # \x1b[2J"), why);
  refused(replaced(good, "nodes = 16", "n\xff = 16"), why);
  const file tabs(replaced(good, "nodes = 16", "nodes\t= 16\t# as built\t"));
  EXPECT_EQ(load_system(tabs.path())->nodes, 16);
  refused(good + std::string(10000, '\n'), ":10001: more than 10000 lines");
  const file lines(replaced(good, "[network]\n", "[network]\r\n"));
  EXPECT_EQ(load_system(lines.path())->nodes, 16);
}

TEST(system, messages_are_one_short_line) {
  EXPECT_EQ(message_of<usage_error>([] { load_system("peach\n2"); }).find("no system 'peach?2';"),
            0u);
  EXPECT_EQ(message_of<usage_error>([] {
              load_system("peach2", {"native\n"});
            }).find("system parameter 'native?': expected table.key=value"),
            0u);
  for (const std::string change : {"=1", ".latency=1", "=", "network.size="})
    EXPECT_LT(
        message_of<error>([&] { load_system("peach2", {std::string(5000, 'x') + change}); }).size(),
        400u)
        << change;
}

TEST(system, chips_say_what_lies_between_cores_and_memory) {
  const std::string good(system_text("grappa"));
  const auto s = load_system("grappa");
  ASSERT_TRUE(s->chips.has_value());
  EXPECT_EQ(s->chips->cores * s->chips->count, 12);
  EXPECT_DOUBLE_EQ(s->chips->latency, 10 / 107e6);
  EXPECT_EQ(s->chips->cache_bytes.size(), s->chips->cache_latency.size());
  EXPECT_FALSE(load_system("peach2")->chips.has_value());
  EXPECT_EQ(load_system("grappa", {"chips.misses=16"})->chips->misses, 16);
  refused(replaced(good, "cores = 6", "cores = 2.5"),
          "chips.cores: expected a whole number from 1 to 1024");
  refused(replaced(good, "queue = 32", "queue = 0"), "queue: expected a number >= 1");
  refused(replaced(good, "cache_latency = [1.5e-9, 3.75e-9, 15e-9]", "cache_latency = [1.5e-9]"),
          "cache_latency: expected 3 values");
  refused(replaced(good, "rate = 360e6", "rate = 1e6"),
          "rate: below core_rate / misses, what a core gets alone by one reference");
  refused(replaced(good, "ahead = 1", "ahead = 1.5"), "ahead: expected a whole number up to");
}

TEST(system, a_size_is_that_of_the_hardware_unless_the_file_says_more) {
  const auto peach2 = load_system("peach2"), gaming = load_system("gaming");
  peach2->check_ranks(1024);
  EXPECT_EQ(peach2->beyond(16), "");
  EXPECT_EQ(peach2->beyond(17),
            "peach2: 17 ranks are beyond the hardware described, which has 16 nodes: its topology "
            "is extended");
  const auto message = [](const system& s, int ranks) -> std::string {
    return message_of<usage_error>([&] { s.check_ranks(ranks); });
  };
  EXPECT_EQ(message(*peach2, 1025),
            "system 'peach2' has 16 nodes and may be extended to 1024: 1025 ranks are too many");
  EXPECT_EQ(message(*gaming, 5), "system 'gaming' has 4 nodes: 5 ranks are too many");
  load_system("grappa")->check_ranks(4096);
  EXPECT_EQ(load_system("grappa")->beyond(4096), "");
  EXPECT_EQ(load_system("h200")->beyond(8).find("h200: 8 ranks are beyond"), 0u);
}

TEST(system, a_size_that_the_topology_cannot_have_is_refused) {
  const auto refuses = [](const std::string& name, const std::string& text,
                          const std::string& part) {
    try {
      load_system(name, {text});
      ADD_FAILURE() << text;
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  refuses("peach2", "largest=8", "largest = 8 with nodes = 16");
  refuses("grappa", "largest=8", "largest = 8 with nodes = 0");
  refuses("m60", "largest=9", "the tree of network.size holds 8 nodes");
  refuses("m60", "nodes=0", "the tree of network.size holds 8 nodes");
  refuses("peach2", "nodes=1.5", "nodes: expected a whole number up to");
  refuses("peach2", "network.host_bandwidth=1e9",
          "network.host_bandwidth: only a tree has a place for one host of all nodes");
  const std::string torus = "at most 8 numbers whose product is at most 32768";
  refuses("peach2", "network.size=[4096, 4096]", torus);
  refuses("peach2", "network.size=[4096, 4096, 4096, 4096, 4096, 4096]", torus);
  refuses("peach2", "network.size=[1, 1, 1, 1, 1, 1, 1, 2, 8]", torus);
  refuses("m60", "network.size=[4096, 4096, 4096]",
          "at most 8 numbers whose product is at most 1048576");
  EXPECT_EQ(load_system("peach2", {"network.size=[64, 512]"})->network.size[1], 512);
}

TEST(system, changes_replace_numbers) {
  const auto s = load_system("peach2", {"network.latency=2e-7", "transfer.dma.setup=0",
                                        "kernel.launch=1e-6", "native=host"});
  EXPECT_EQ(s->network.latency[0], 2e-7);
  EXPECT_EQ(s->kind_of(memory::device, memory::device, 8, false).setup, 0.0);
  EXPECT_EQ(s->kind_of(memory::host, memory::host, 8, false).setup, 0.0);
  EXPECT_EQ(s->kernel.launch, 1e-6);
  EXPECT_EQ(s->kernel.scatter, 32) << "a sector, where nothing else is said";
  EXPECT_EQ(load_system("expether", {"kernel.scatter=64"})->kernel.scatter, 64);
  const auto m60 = load_system("m60", {"kernel.cache=4096", "kernel.threads=64"});
  EXPECT_EQ(m60->kernel.cache, 4096);
  EXPECT_EQ(m60->kernel.threads, 64);
  EXPECT_GT(m60->kernel.pass, 0);
  EXPECT_LT(m60->kernel.pass, m60->kernel.launch);
  EXPECT_EQ(s->native, memory::host);
  EXPECT_THROW(load_system("peach2", {"network"}), usage_error);
  EXPECT_THROW(load_system("peach2", {"native=moon"}), input_error);
}

TEST(system, software_names_an_algorithm_by_size_and_ranks) {
  const auto mpi = load_system("hapacs-ib");
  const auto pick = [&](const char* op, std::size_t bytes, int ranks, memory where) {
    const auto* row = mpi->collective_of(op, bytes, ranks, where);
    return row == nullptr ? std::string("none") : row->algorithm + (row->via_host ? "+host" : "");
  };
  EXPECT_EQ(pick("scatter", 2048 * 16, 16, memory::device), "direct+host");
  EXPECT_EQ(pick("scatter", 2048 * 16 + 1, 16, memory::device), "direct");
  EXPECT_EQ(pick("scatter", 2048 * 16, 8, memory::device), "direct");
  EXPECT_EQ(pick("allgather", 16384, 16, memory::device), "recursive_doubling+host");
  EXPECT_EQ(pick("allgather", 16385, 16, memory::device), "ring_host");
  EXPECT_EQ(pick("allgather", 16385, 8, memory::device), "recursive_doubling+host");
  EXPECT_EQ(pick("allgather", 16385, 16, memory::host), "recursive_doubling");
  EXPECT_EQ(pick("barrier", 0, 16, memory::host), "none");
  EXPECT_TRUE(load_system("peach2")->collective_of("allgather", 8, 16, memory::device)->searched);
  EXPECT_EQ(load_system("h200")->collective_of("allgather", 8, 4, memory::device), nullptr);
}

TEST(system, rows_of_software_say_what_is_wrong_with_them) {
  const auto message = [](const std::string& key, const std::string& value) -> std::string {
    return message_of<input_error>([&] { load_system("hapacs-ib", {key + "=" + value}); });
  };
  const auto expect = [&](const std::string& key, const std::string& value,
                          const std::string& part) {
    const std::string text = message(key, value);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect("software.mapping", "best", "mapping: expected identity or searched");
  expect("software.via", "disk", "via");
  EXPECT_TRUE(load_system("hapacs-ib", {"software.via=host"})
                  ->collective_of("allgather", 1 << 20, 2, memory::device)
                  ->via_host);
}

TEST(system, work_takes_a_launch_and_the_longer_of_memory_and_arithmetic) {
  const worker w{1e-6, 1e9, 1e12};
  EXPECT_DOUBLE_EQ(w.seconds(1e6, 1e6), 1e-6 + 1e-3);
  EXPECT_DOUBLE_EQ(w.seconds(1e3, 1e12), 1e-6 + 1.0);
}

}  // namespace gossamer::model
