// put_list: checked and addressed once, started any number of times without an allocation.
#include "fabric/run_state.hpp"

namespace gossamer {

put_list rank::make_put_list() {
  return put_list(*this);
}

void put_list::add(const window_table& w, int peer, std::size_t offset, const void* data,
                   std::size_t n, const signal* flag) {
  check_range(w, peer, offset, n);
  if (flag != nullptr) check_range(*flag->table, peer, flag->index, 1);
  items_.push_back(
      {&w, peer, offset * w.element, n * w.element, data, flag != nullptr ? *flag : signal{}});
}

void put_list::start(const gossamer::stream* on) {
  auto& s = *rank_->state_;
  s.beat();
  const auto& order = s.on(on);
  s.run.carrier->chain(s.id, true);
  for (const auto& i : items_) {
    auto& c = *s.mine.channels[i.peer];
    if (i.count != 0)
      traced_copy(s.trace, "put_list", s.id, i.peer, i.count, c, order, [&] {
        c.put({i.table, i.peer, i.offset}, i.data, i.count, order);
      });
    if (i.flag.table != nullptr)
      c.raise({i.flag.table, i.peer, i.flag.index * sizeof(std::uint64_t)}, 1, signal_op::add,
              order);
  }
  s.run.carrier->chain(s.id, false);
}

}  // namespace gossamer
