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
delivery<Id>::delivery(const placed_graph& g, int rank, int label_bytes)
    : rank_(rank),
      label_bytes_(label_bytes),
      rows_(arrivals_of<Id>(g, rank).rows),
      owners_(g.owners().view()),
      pool_(static_cast<std::size_t>(rows_)) {}

namespace {

/// What the windows of a rank depend on.
struct delivered_rows {
  std::int64_t rows;
  int label_bytes;
  bool modelled;
};

/// An array of a rank's result on its way. A modelled GPU's memory is its arena: what goes to the
/// host has to lie there, as it does on a GPU that there is.
template <class T>
struct host_copy {
  std::span<T> there;
  window<T> host;

  void list(algorithm_detail::array_list& of, std::int64_t rows, bool copies) {
    if (copies) of.add(there, rows);
    of.add(host, rows, home::host);
  }
  /// Returns the bytes.
  std::int64_t send(rank& r, std::span<const T> values) const {
    if (values.empty()) return 0;
    if (!there.empty() && there.data() != values.data()) {
      std::ranges::copy(values, there.begin());
      values = there;
    }
    r.put(host, r.id(), 0, values);
    return static_cast<std::int64_t>(values.size_bytes());
  }
};

/// Label on its way, as it is or as the paper has it.
template <class Id>
struct label_windows {
  bool widens = false;
  host_copy<std::int64_t> wide;
  host_copy<Id> own;

  void list(algorithm_detail::array_list& of, const delivered_rows& d) {
    widens = d.label_bytes > static_cast<int>(sizeof(Id));
    if (widens)
      wide.list(of, d.rows, true);
    else
      own.list(of, d.rows, d.modelled);
  }
  /// What send() puts is complete when it returns.
  void prepare(rank& r, vector_queue_steps<Id>& steps) const {
    if (widens) steps.labels(r, wide.there.data());
  }
  /// Returns the bytes.
  std::int64_t send(rank& r, const vector_queue_steps<Id>& steps) const {
    return widens ? wide.send(r, wide.there) : own.send(r, steps.found().parents);
  }
  void read(Id* parents) const {
    const auto narrow = [](auto parent) { return static_cast<Id>(parent); };
    if (widens)
      std::ranges::transform(wide.host.local(), parents, narrow);
    else
      std::ranges::copy(own.host.local(), parents);
  }
};

template <class Id>
struct serial_windows {
  label_windows<Id> labels;
  signal_set turn;

  void list(algorithm_detail::array_list& of, const delivered_rows& d) {
    labels.list(of, d);
    of.add(turn, 1, home::host);
  }
};

template <class Id>
struct slices_windows {
  label_windows<Id> labels;
  host_copy<std::int32_t> depths;

  void list(algorithm_detail::array_list& of, const delivered_rows& d) {
    labels.list(of, d);
    depths.list(of, d.rows, d.modelled);
  }
};

struct overlapped_windows {
  std::span<std::uint32_t> finds;
  window<std::uint32_t> host;
  signal_set arrived;

  void list(algorithm_detail::array_list& of, const delivered_rows& d) {
    of.add(finds, packed_finds::room(d.rows, d.label_bytes));
    of.add(host, packed_finds::room(d.rows, d.label_bytes), home::host);
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
    arrays_.list(taken, {this->rows_, this->label_bytes_, r.dev().model != nullptr});
  }

 protected:
  Arrays arrays_;
};

template <class Id>
class serial_delivery final : public delivery_of<Id, serial_windows<Id>> {
 public:
  using delivery_of<Id, serial_windows<Id>>::delivery_of;

  void finish(rank& r, vector_queue_steps<Id>& steps) override {
    const trace_span span(r, "label", trace_class::exchange);
    arrays_.labels.prepare(r, steps);
    const double begin = r.clock();
    if (r.id() > 0) r.wait_any(arrays_.turn, 0, 1, 1);
    if (this->rows_ > 0) {
      this->sent_.bytes = arrays_.labels.send(r, steps);
      this->sent_.messages = 1;
      r.flush(r.id());
    }
    if (r.id() + 1 < r.size()) r.raise(arrays_.turn[0], r.id() + 1, 1);
    this->sent_.rounds = 1;
    this->sent_.seconds = r.clock() - begin;
  }

  // The paper has no depths: they follow outside of what is timed.
  bfs_result::part part(bfs_result::part on_rank) override {
    this->result_ = this->pool_.take();
    arrays_.labels.read(this->result_.parents.data());
    copy_bytes(this->result_.depths.data(), on_rank.depths,
               static_cast<std::size_t>(this->rows_) * sizeof(std::int32_t));
    return lend_part(this->pool_, this->result_, this->rank_, this->rows_);
  }

 private:
  using delivery_of<Id, serial_windows<Id>>::arrays_;
};

template <class Id>
class slices_delivery final : public delivery_of<Id, slices_windows<Id>> {
 public:
  using delivery_of<Id, slices_windows<Id>>::delivery_of;

  void finish(rank& r, vector_queue_steps<Id>& steps) override {
    const trace_span span(r, "label", trace_class::exchange);
    arrays_.labels.prepare(r, steps);
    const double begin = r.clock();
    if (this->rows_ > 0) {
      this->sent_.bytes =
          arrays_.labels.send(r, steps) + arrays_.depths.send(r, steps.found().depths);
      r.flush(r.id());
      this->sent_.messages = 2;
    }
    this->sent_.rounds = 1;
    this->sent_.seconds = r.clock() - begin;
  }

  bfs_result::part part(bfs_result::part) override {
    this->result_ = this->pool_.take();
    arrays_.labels.read(this->result_.parents.data());
    std::ranges::copy(arrays_.depths.host.local(), this->result_.depths.data());
    return lend_part(this->pool_, this->result_, this->rank_, this->rows_);
  }

 private:
  using delivery_of<Id, slices_windows<Id>>::arrays_;
};

template <class Id>
class overlapped_delivery final : public delivery<Id> {
 public:
  overlapped_delivery(const placed_graph& g, int rank, int label_bytes)
      : delivery<Id>(g, rank, label_bytes) {
    if (g.on()[rank].is_cuda()) copies_.emplace(g.on()[rank]);
  }

  void begin(rank& r, std::int64_t source) override {
    this->sent_ = {};
    found_.clear();
    used_ = sending_ = 0;
    algorithm_detail::array_list taken(r);
    arrays_.list(taken, {this->rows_, this->label_bytes_, r.dev().model != nullptr});
    this->result_ = this->pool_.take();
    const std::int64_t placed = source < 0 ? -1 : this->owners_.global(this->rank_, source);
    begin_result(this->result_, this->rows_, source, static_cast<Id>(placed));
  }

  [[nodiscard]] std::uint32_t* room() override { return arrays_.finds.data() + used_; }

  void found(std::int64_t n, std::int32_t depth) override {
    if (n == 0) return;
    const auto words = packed_finds::in(room(), this->rows_, n, this->label_bytes_).words;
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
    each_find(packed_finds::in(words, this->rows_, l.found, this->label_bytes_), this->rows_,
              l.found, [&](std::int64_t row, std::int64_t label) {
                this->result_.parents[row] = static_cast<Id>(label);
                this->result_.depths[row] = l.depth;
              });
    const double changed = this->label_bytes_ + static_cast<double>(sizeof(std::int32_t));
    r.charge(static_cast<double>(l.words) * 4 + static_cast<double>(l.found) * 2 * changed, 0,
             home::host);
  }

  std::optional<stream> copies_;  ///< of a GPU: beside its queues
  overlapped_windows arrays_;
  std::vector<level_finds> found_;
  std::int64_t used_ = 0;    ///< words
  std::size_t sending_ = 0;  ///< the first of found_ that has not left
};

}  // namespace

int label_bytes(const bfs_options& options, int id_width) {
  const std::int64_t chosen = options.results == "serial" ? 8 : id_width;
  const std::int64_t wanted = options.label_bytes == 0 ? chosen : options.label_bytes;
  return static_cast<int>(std::max<std::int64_t>(wanted, id_width));
}

template <class Id>
std::unique_ptr<delivery<Id>> make_delivery(const placed_graph& g, int rank,
                                            const bfs_options& options) {
  const int bytes = label_bytes(options, sizeof(Id));
  if (options.results == "serial") return std::make_unique<serial_delivery<Id>>(g, rank, bytes);
  if (options.results == "slices") return std::make_unique<slices_delivery<Id>>(g, rank, bytes);
  if (options.results == "overlapped")
    return std::make_unique<overlapped_delivery<Id>>(g, rank, bytes);
  return nullptr;
}
template std::unique_ptr<delivery<vertex32>> make_delivery(const placed_graph&, int,
                                                           const bfs_options&);
template std::unique_ptr<delivery<vertex64>> make_delivery(const placed_graph&, int,
                                                           const bfs_options&);

namespace {

template <class Id>
void list_windows(algorithm_detail::array_list& of, const planned_rank& p,
                  const bfs_options& options) {
  const delivered_rows d{p.rows(), label_bytes(options, sizeof(Id)), p.on[p.self].model != nullptr};
  if (options.results == "serial") serial_windows<Id>().list(of, d);
  if (options.results == "slices") slices_windows<Id>().list(of, d);
  if (options.results == "overlapped") overlapped_windows().list(of, d);
}

}  // namespace

void list_delivery(algorithm_detail::array_list& of, const planned_rank& p,
                   const bfs_options& options) {
  const auto list = p.id_width == 4 ? list_windows<vertex32> : list_windows<vertex64>;
  list(of, p, options);
}

}  // namespace gossamer::bfs_detail
