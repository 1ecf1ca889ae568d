// The ways of delivery as classes: each prepares windows before a search and copies from the GPU
// during or after it. make_delivery() picks one by name.
#include "algorithm/bfs/vector_queue/delivery.hpp"

#include <algorithm>

#include "algorithm/bfs/vector_queue/finds.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::bfs_detail {

template <class Id>
delivery<Id>::delivery(const placed_graph& g, int rank)
    : rank_(rank),
      rows_(arrivals_of<Id>(g, rank).rows),
      owners_(g.owners().view()),
      pool_(static_cast<std::size_t>(rows_)) {}

namespace {

struct serial_windows {
  std::span<std::int64_t> labels;  ///< Label as the paper has it
  window<std::int64_t> host;
  signal_set turn;

  void list(algorithm_detail::array_list& of, std::int64_t rows) {
    of.add(labels, rows);
    of.add(host, rows, home::host);
    of.add(turn, 1, home::host);
  }
};

template <class Id>
struct slices_windows {
  window<Id> parents;
  window<std::int32_t> depths;

  void list(algorithm_detail::array_list& of, std::int64_t rows) {
    of.add(parents, rows, home::host);
    of.add(depths, rows, home::host);
  }
};

template <class Id>
struct overlapped_windows {
  std::span<std::uint32_t> finds;
  window<std::uint32_t> host;
  signal_set arrived;

  void list(algorithm_detail::array_list& of, std::int64_t rows) {
    of.add(finds, packed_finds<Id>::room(rows));
    of.add(host, packed_finds<Id>::room(rows), home::host);
    of.add(arrived, 1, home::host);
  }
};

/// What begins by taking arrays.
template <class Id, class Arrays>
class delivery_of : public delivery<Id> {
 public:
  using delivery<Id>::delivery;
  void begin(rank& r, std::int64_t) override {
    this->sent_ = {};
    algorithm_detail::array_list taken(r);
    arrays_.list(taken, this->rows_);
  }

 protected:
  Arrays arrays_;
};

template <class Id>
class serial_delivery final : public delivery_of<Id, serial_windows> {
 public:
  using delivery_of<Id, serial_windows>::delivery_of;

  void finish(rank& r, vector_queue_steps<Id>& steps) override {
    const trace_span span(r, "label", trace_class::exchange);
    steps.labels(r, arrays_.labels.data());
    const double begin = r.clock();
    if (r.id() > 0) r.wait_any(arrays_.turn, 0, 1, 1);
    if (!arrays_.labels.empty()) {
      r.put(arrays_.host, r.id(), 0, arrays_.labels);
      r.flush(r.id());
      this->sent_.messages = 1;
      this->sent_.bytes = static_cast<std::int64_t>(arrays_.labels.size_bytes());
    }
    if (r.id() + 1 < r.size()) r.raise(arrays_.turn[0], r.id() + 1, 1);
    this->sent_.rounds = 1;
    this->sent_.seconds = r.clock() - begin;
  }

  // The paper has no depths: they follow outside of what is timed.
  bfs_result::part part(bfs_result::part on_rank) override {
    this->result_ = this->pool_.take();
    const auto label = arrays_.host.local();
    std::transform(label.begin(), label.end(), this->result_.parents.data(),
                   [](std::int64_t parent) { return static_cast<Id>(parent); });
    copy_bytes(this->result_.depths.data(), on_rank.depths,
               static_cast<std::size_t>(this->rows_) * sizeof(std::int32_t));
    return lend_part(this->pool_, this->result_, this->rank_, this->rows_);
  }

 private:
  using delivery_of<Id, serial_windows>::arrays_;
};

template <class Id>
class slices_delivery final : public delivery_of<Id, slices_windows<Id>> {
 public:
  using delivery_of<Id, slices_windows<Id>>::delivery_of;

  void finish(rank& r, vector_queue_steps<Id>& steps) override {
    const trace_span span(r, "label", trace_class::exchange);
    const double begin = r.clock();
    const found_rows<Id> found = steps.found();
    if (this->rows_ > 0) {
      r.put(arrays_.parents, r.id(), 0, found.parents);
      r.put(arrays_.depths, r.id(), 0, found.depths);
      r.flush(r.id());
      this->sent_.messages = 2;
      this->sent_.bytes =
          static_cast<std::int64_t>(found.parents.size_bytes() + found.depths.size_bytes());
    }
    this->sent_.rounds = 1;
    this->sent_.seconds = r.clock() - begin;
  }

  bfs_result::part part(bfs_result::part) override {
    this->result_ = this->pool_.take();
    std::ranges::copy(arrays_.parents.local(), this->result_.parents.data());
    std::ranges::copy(arrays_.depths.local(), this->result_.depths.data());
    return lend_part(this->pool_, this->result_, this->rank_, this->rows_);
  }

 private:
  using delivery_of<Id, slices_windows<Id>>::arrays_;
};

template <class Id>
class overlapped_delivery final : public delivery<Id> {
 public:
  overlapped_delivery(const placed_graph& g, int rank) : delivery<Id>(g, rank) {
    if (g.on()[rank].is_cuda()) copies_.emplace(g.on()[rank]);
  }

  void begin(rank& r, std::int64_t source) override {
    this->sent_ = {};
    found_.clear();
    used_ = sending_ = 0;
    algorithm_detail::array_list taken(r);
    arrays_.list(taken, this->rows_);
    this->result_ = this->pool_.take();
    const std::int64_t placed = source < 0 ? -1 : this->owners_.global(this->rank_, source);
    begin_result(this->result_, this->rows_, source, static_cast<Id>(placed));
  }

  [[nodiscard]] std::uint32_t* room() override { return arrays_.finds.data() + used_; }

  void found(std::int64_t n, std::int32_t depth) override {
    if (n == 0) return;
    const auto words = packed_finds<Id>::in(room(), this->rows_, n).words;
    found_.push_back({used_, words, n, depth});
    used_ += words;
  }

  void send(rank& r) override {
    for (; sending_ < found_.size(); ++sending_) {
      const level_finds& l = found_[sending_];
      const std::span<const std::uint32_t> data(arrays_.finds.data() + l.at,
                                                static_cast<std::size_t>(l.words));
      r.put_signal(arrays_.host, r.id(), static_cast<std::size_t>(l.at), data, arrays_.arrived[0],
                   sending_ + 1, signal_op::set, copies_ ? &*copies_ : nullptr);
      ++this->sent_.messages;
      this->sent_.bytes += static_cast<std::int64_t>(data.size_bytes());
    }
  }

  void finish(rank& r, vector_queue_steps<Id>&) override {
    const trace_span span(r, "label", trace_class::exchange);
    const double begin = r.clock();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      r.wait_any(arrays_.arrived, 0, 1, i + 1);
      enter(r, found_[i]);
    }
    r.quiet();
    this->sent_.rounds = 1;
    this->sent_.seconds = r.clock() - begin;
  }

  bfs_result::part part(bfs_result::part) override {
    return lend_part(this->pool_, this->result_, this->rank_, this->rows_);
  }

 private:
  struct level_finds {
    std::int64_t at, words, found;
    std::int32_t depth;
  };

  /// Labels and depths of a level at their places. A modelled host reads the finds, and reads and
  /// writes what it changes: ascending, so that lines are whole.
  void enter(rank& r, const level_finds& l) {
    auto* const words = arrays_.host.local().data() + l.at;
    each_find(packed_finds<Id>::in(words, this->rows_, l.found), this->rows_, l.found,
              [&](std::int64_t row, Id label) {
                this->result_.parents[row] = label;
                this->result_.depths[row] = l.depth;
              });
    constexpr double changed = sizeof(Id) + sizeof(std::int32_t);
    r.charge(static_cast<double>(l.words) * 4 + static_cast<double>(l.found) * 2 * changed, 0,
             home::host);
  }

  std::optional<stream> copies_;  ///< of a GPU: beside its queues
  overlapped_windows<Id> arrays_;
  std::vector<level_finds> found_;
  std::int64_t used_ = 0;    ///< words
  std::size_t sending_ = 0;  ///< the first of found_ that has not left
};

}  // namespace

template <class Id>
std::unique_ptr<delivery<Id>> make_delivery(const placed_graph& g, int rank,
                                            const bfs_options& options) {
  if (options.results == "serial") return std::make_unique<serial_delivery<Id>>(g, rank);
  if (options.results == "slices") return std::make_unique<slices_delivery<Id>>(g, rank);
  if (options.results == "overlapped") return std::make_unique<overlapped_delivery<Id>>(g, rank);
  return nullptr;
}
template std::unique_ptr<delivery<vertex32>> make_delivery(const placed_graph&, int,
                                                           const bfs_options&);
template std::unique_ptr<delivery<vertex64>> make_delivery(const placed_graph&, int,
                                                           const bfs_options&);

namespace {

template <class Id>
void list_windows(algorithm_detail::array_list& of, std::int64_t rows, const std::string& results) {
  if (results == "serial") serial_windows().list(of, rows);
  if (results == "slices") slices_windows<Id>().list(of, rows);
  if (results == "overlapped") overlapped_windows<Id>().list(of, rows);
}

}  // namespace

void list_delivery(algorithm_detail::array_list& of, const planned_rank& p,
                   const bfs_options& options) {
  const auto list = p.id_width == 4 ? list_windows<vertex32> : list_windows<vertex64>;
  list(of, p.rows(), options.results);
}

}  // namespace gossamer::bfs_detail
