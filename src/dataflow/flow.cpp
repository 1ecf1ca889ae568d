// Calls of one rank on its flow, which ends by closing every link and serving callbacks until all
// streams are over. run() starts one on each rank.
#include "gossamer/dataflow/flow.hpp"

#include <span>
#include <string>

#include "dataflow/flow_state.hpp"
#include "gossamer/base/digest.hpp"

namespace gossamer::dataflow {

namespace {

const wiring& checked(const wiring& w) {
  w.check();
  return w;
}

}  // namespace

flow::flow(const wiring& w, gossamer::rank& r)
    : state_(std::make_unique<flow_state>(checked(w), r)) {}
flow::~flow() = default;

link flow::operator[](link_id which) {
  const auto links = static_cast<int>(state_->wires.edges().size());
  if (which.index < 0 || which.index >= links)
    throw usage_error("dataflow: no link " + std::to_string(which.index) + " among " +
                      std::to_string(links));
  const auto at = static_cast<std::size_t>(which.index);
  if (state_->outs[at] == nullptr && state_->ins[at] == nullptr)
    throw usage_error("dataflow: link '" + state_->wires.name_of(which) + "' has no end on rank " +
                      std::to_string(id()));
  return {*state_, which};
}

gossamer::rank& flow::rank() noexcept {
  return state_->r;
}

void flow::progress() {
  state_->advance();
}

void flow::serve() {
  state_->until(
      [&] {
        for (const auto& in : state_->ins)
          if (in && in->callback && !in->ended()) return false;
        return true;
      },
      {"for the streams of its callbacks to end"});
}

void flow::finish() {
  for (const auto& out : state_->outs)
    if (out) out->close();
  state_->until(
      [&] {
        for (const auto& out : state_->outs)
          if (out && !out->idle()) return false;
        return true;
      },
      {"for what it has queued to leave"});
  serve();
  if (state_->r.dev().is_cuda()) state_->r.quiet();
}

void run(machine& m, const wiring& w, const std::function<void(flow&)>& program,
         run_options options) {
  require(&w.context() == &m, "dataflow: the wiring is of another machine");
  w.check();
  if (options.arenas.empty()) options.arenas = w.arenas();
  if (!m.all_here()) {
    const std::string graph = w.json();
    options.terms.push_back({"wiring", digest_text(digest_of(std::as_bytes(std::span(graph))))});
  }
  m.run(
      [&](rank& r) {
        flow f(w, r);
        program(f);
        f.finish();
      },
      options);
}

}  // namespace gossamer::dataflow
