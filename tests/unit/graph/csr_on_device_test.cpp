// CSR arrays of a GPU become graphs as the host's do: checked, converted, shared or copied.
#include <gtest/gtest.h>

#include <memory>

#include "unit/graph/device_lists.hpp"

namespace gossamer {
namespace {

template <class To, class Array>
std::vector<To> elements(const Array& a) {
  return {a.begin(), a.end()};
}

/// A graph's arrays in GPU 0.
template <class Offset, class Id, class Weight>
class uploaded_rows {
 public:
  explicit uploaded_rows(const graph& g)
      : offsets_(elements<Offset>(g.offsets)),
        ids_(std::visit([](const auto& a) { return elements<Id>(a); }, g.indices)) {
    if (const auto* w = std::get_if<shared_array<Weight>>(&g.weights))
      weights_ = std::make_unique<test::uploaded<Weight>>(elements<Weight>(*w));
  }
  [[nodiscard]] device_csr_arrays arrays(std::shared_ptr<void> owner = {}) const {
    device_csr_arrays all;
    all.offsets = offsets_.view();
    all.indices = ids_.view();
    if (weights_) all.weights = weights_->view();
    all.owner = std::move(owner);
    return all;
  }

 private:
  test::uploaded<Offset> offsets_;
  test::uploaded<Id> ids_;
  std::unique_ptr<test::uploaded<Weight>> weights_;
};

/// As from_csr does it on the host.
graph validated(graph g, const device_csr_options& o) {
  g.name = o.name;
  g.sorted = o.sorted.value_or(true);
  g.steps.clear();
  if (g.weighted()) g.weight_source = "caller";
  g.symmetric = false;
  g.validate();
  g.symmetric = o.symmetric.value_or(is_symmetric(g));
  if (g.symmetric) g.validate();
  return g;
}

template <class Offset, class Id, class Weight>
void expect_the_graph(const graph& g) {
  const uploaded_rows<Offset, Id, Weight> rows(g);
  graph expected = validated(g, {});
  if constexpr (std::is_same_v<Id, std::int64_t>)
    expected.indices = std::visit(
        [](const auto& from) {
          shared_array<vertex64> wide(from.size());
          std::copy(from.begin(), from.end(), wide.begin());
          return wide;
        },
        expected.indices);
  for (const bool shared : {false, true}) {
    const auto owner = shared ? std::make_shared<int>() : nullptr;
    const device_csr_arrays arrays = rows.arrays(owner);
    {
      const device_csr made = csr_on_device(arrays);
      EXPECT_EQ(test::difference(to_host(made), expected), "");
      EXPECT_EQ(made.longest_row, test::longest_of(g));
      const void* columns =
          std::visit([](const auto& a) -> const void* { return a.data(); }, made.columns);
      const bool shares_columns = shared && !std::is_same_v<Id, std::uint32_t> && g.arcs() > 0;
      const bool shares_offsets = shared && std::is_same_v<Offset, std::int64_t>;
      EXPECT_EQ(columns == arrays.indices.data, shares_columns || g.arcs() == 0);
      EXPECT_EQ(made.offsets.data() == arrays.offsets.data, shares_offsets);
    }
    if (shared) {
      EXPECT_EQ(owner.use_count(), 2) << "this one and the arrays'";
    }
    device_csr_options narrow;
    narrow.narrow = true;
    EXPECT_EQ(csr_on_device(arrays, narrow).id_width(), 4);
  }
}

TEST(CsrOnDevice, IsTheHostsGraph) {
  NEEDS_GPU();
  for (const test::sample& s : test::samples())
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(s.name);
      build_options o;
      o.symmetrize = symmetrize;
      const graph plain = test::build_sample<vertex32, char>(s, o);
      expect_the_graph<std::int64_t, std::int32_t, float>(plain);
      expect_the_graph<std::int32_t, std::int64_t, float>(plain);
      expect_the_graph<std::int64_t, std::uint32_t, float>(plain);
      expect_the_graph<std::int64_t, std::int32_t, float>(
          test::build_sample<vertex32, float>(s, o));
      expect_the_graph<std::int32_t, std::int32_t, double>(
          test::build_sample<vertex32, double>(s, o));
      expect_the_graph<std::int64_t, std::int64_t, std::int32_t>(
          test::build_sample<vertex32, std::int32_t>(s, o));
    }
}

/// The error's words for these arrays, on the host and on the GPU: the same ones.
std::string refused(const std::vector<std::int64_t>& offsets,
                    const std::vector<std::int32_t>& columns, const device_csr_options& o = {},
                    std::size_t weights = 0) {
  const auto copy = []<class T>(const std::vector<T>& from) {
    shared_array<T> to(from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  };
  graph g;
  g.offsets = copy(offsets);
  g.indices = copy(columns);
  if (weights > 0) g.weights = copy(std::vector<float>(weights, 1.0f));
  const uploaded_rows<std::int64_t, std::int32_t, float> rows(g);
  const std::string words = test::words_of([&] { csr_on_device(rows.arrays(), o); });
  EXPECT_EQ(words, test::words_of([&] { validated(g, o); }));
  return words;
}

TEST(CsrOnDevice, RefusesWhatTheHostRefuses) {
  NEEDS_GPU();
  EXPECT_EQ(refused({1, 2}, {0, 0}), "graph: offsets begin at 1, not 0");
  EXPECT_EQ(refused({0, 2, 1, 0, 3}, {0, 0, 0}), "graph: offsets fall after vertex index 1");
  EXPECT_EQ(refused({0, 2, 3}, {0, 0}), "graph: offsets promise 3 arcs, but there are 2 indices");
  EXPECT_EQ(refused({0, 2}, {0, 0}, {}, 1), "graph: 2 arcs, but 1 weights");
  EXPECT_EQ(refused({0, 0, 2, 3}, {0, 3, 7}), "graph: vertex 1 has neighbour index 3 outside 0..2");
  EXPECT_EQ(refused({0, 1, 1, 2}, {0, -1}), "graph: vertex 2 has neighbour index -1 outside 0..2");
  EXPECT_EQ(refused({0, 1, 3, 5}, {2, 1, 0, 9, 0}),
            "graph: the row of vertex 1 is not in ascending order");
  device_csr_options o;
  o.name = "mine";
  o.symmetric = true;
  EXPECT_EQ(refused({0, 1, 1}, {1}, o), "mine: said to be symmetric, but some arc has no mirror");
  o.symmetric = false;
  EXPECT_EQ(refused({0, 1, 2}, {1, 0}, o), "no error");

  const test::uploaded<std::int64_t> nothing(std::vector<std::int64_t>{0});
  device_csr_arrays none;
  none.offsets = nothing.view();
  EXPECT_EQ(test::words_of([&] { csr_on_device(none); }), "from_csr: the graph has no vertices");
  const std::vector<std::int64_t> host{0, 0};
  none.offsets = {host.data(), 2, element::int64};
  EXPECT_EQ(test::words_of([&] { csr_on_device(none); }),
            "from_csr: offsets do not lie in the memory of cuda:0");
}

TEST(CsrOnDevice, FindsOutWhetherRowsAscend) {
  NEEDS_GPU();
  graph g = test::build_sample(test::random_sample(5000, 4000, 30000, 3));
  device_csr_options o;
  o.sorted.reset();
  const uploaded_rows<std::int64_t, std::int32_t, float> ascending(g);
  EXPECT_TRUE(csr_on_device(ascending.arrays(), o).sorted);
  std::int64_t v = 3000;
  while (g.degree(v) < 2) ++v;
  auto& columns = std::get<shared_array<vertex32>>(g.indices);
  std::swap(columns[g.offsets[v]], columns[g.offsets[v + 1] - 1]);
  const uploaded_rows<std::int64_t, std::int32_t, float> mixed(g);
  EXPECT_FALSE(csr_on_device(mixed.arrays(), o).sorted);
  o.sorted = false;
  EXPECT_FALSE(csr_on_device(ascending.arrays(), o).sorted);
}

TEST(CsrOnDevice, IsRefusedBeyondALimitAndStops) {
  NEEDS_GPU();
  const uploaded_rows<std::int64_t, std::int32_t, float> rows(
      test::build_sample(test::random_sample(5000, 4000, 30000, 3)));
  device_csr_options o;
  o.memory = 1 << 10;
  EXPECT_EQ(test::words_of([&] {
              csr_on_device(rows.arrays(), o);
            }).find("from_csr: the graph does not fit: 5000 vertices, 30000 arcs"),
            0u);
  EXPECT_EQ(csr_on_device(rows.arrays(std::make_shared<int>()), o).arcs(), 30000) << "shared";
  std::stop_source stop;
  stop.request_stop();
  o.stop = stop.get_token();
  o.memory = 0;
  EXPECT_THROW(csr_on_device(rows.arrays(), o), cancelled_error);
}

}  // namespace
}  // namespace gossamer
