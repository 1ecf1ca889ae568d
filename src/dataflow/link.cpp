// Futures and sends as thin calls into the rank's queues. Only their waits block, and they turn the
// whole flow over meanwhile.
#include "gossamer/dataflow/link.hpp"

#include "dataflow/flow_state.hpp"

namespace gossamer::dataflow {

namespace {

// Texts are made where they are thrown: these are on the way of every call.
[[noreturn]] void no_end(const flow_state& flow, int link, const char* does_not) {
  throw usage_error("dataflow: link '" + flow.wires.name_of({link}) + "' does not " + does_not +
                    " at an endpoint of rank " + std::to_string(flow.r.id()));
}

out_queue& out_of(flow_state& flow, int link) {
  auto& out = flow.outs[static_cast<std::size_t>(link)];
  if (out == nullptr) no_end(flow, link, "begin");
  return *out;
}

pipelined_receiver& in_of(flow_state& flow, int link) {
  auto& in = flow.ins[static_cast<std::size_t>(link)];
  if (in == nullptr) no_end(flow, link, "end");
  return *in;
}

}  // namespace

bool send_future::done() const {
  if (flow_ == nullptr) return true;
  flow_->advance();
  return !out_of(*flow_, link_).under_way(number_);
}

void send_future::wait() const {
  if (flow_ == nullptr) return;
  auto& out = out_of(*flow_, link_);
  flow_->until([&] { return !out.under_way(number_); }, {"for a message to leave on", link_});
  if (flow_->r.dev().is_cuda()) flow_->r.quiet();
}

event_future send_future::moment() const {
  require(flow_ != nullptr, "dataflow: moment() of a future that no send has made");
  return out_of(*flow_, link_).moment(number_);
}

bool receive_future::ready() const {
  auto& in = in_of(*flow_, link_);
  if (!in.ready()) flow_->advance();
  return in.ready();
}

pending_segment receive_future::get() const {
  auto& in = in_of(*flow_, link_);
  flow_->until([&] { return in.ready(); }, {"to receive on", link_});
  return in.take();
}

send_future link::send_bytes(std::span<const std::byte> data, std::size_t element,
                             const send_options& options) {
  auto& out = out_of(*flow_, id_);
  flow_->until([&] { return out.has_room(); }, {"for room in the queue of", id_});
  const auto number = out.add(data, element, options);
  flow_->advance();
  return {flow_, id_, number};
}

void link::shutdown() {
  out_of(*flow_, id_).close();
  flow_->advance();
}

receive_future link::receive() {
  if (in_of(*flow_, id_).callback != nullptr)
    throw usage_error("dataflow: receive on '" + name() + "', which has a callback");
  return {flow_, id_};
}

void link::release(const pending_segment& segment, const stream* after) {
  require(!segment.empty(), "dataflow: release of the end of a stream, which has no buffer");
  in_of(*flow_, id_).release(segment, after);
}

void link::on_receive(std::function<void(const pending_segment&)> each) {
  in_of(*flow_, id_).callback = std::move(each);
}

std::string link::name() const {
  return flow_->wires.name_of({id_});
}

}  // namespace gossamer::dataflow
