// What the fabric records of its own operations: copies, and waits that do not end at once.
#pragma once

#include "fabric/channel.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer {

/// A wait of the rank's thread, from here to the end of the scope.
class traced_wait {
 public:
  traced_wait(trace_recorder* to, const char* what, int from) : to_(to) {
    if (to_ == nullptr) return;
    outermost_ = to_->enter_wait();
    if (outermost_) event_ = {what, to_->now(), 0, 0, to_->level(), from, -1, trace_class::wait};
  }
  ~traced_wait() {
    if (to_ == nullptr) return;
    to_->leave_wait();
    if (!outermost_) return;
    event_.end = to_->now();
    to_->add(event_);
  }
  traced_wait(const traced_wait&) = delete;
  traced_wait& operator=(const traced_wait&) = delete;

 private:
  trace_recorder* to_;
  trace_event event_;
  bool outermost_ = false;
};

/// A call that hands work to a channel or to a stream: it lasts as long as the call where that does
/// the work, and between two moments of the stream where the stream does.
class traced_call {
 public:
  traced_call(trace_recorder& to, const trace_event& what, completion how, const stream& on)
      : to_(to), on_(on), event_(what), how_(how) {
    if (how_ == completion::arrival) return;
    if (how_ == completion::stream && !(on.is_cuda() && to_.on_gpu())) how_ = completion::call;
    event_.level = to_.level();
    if (how_ == completion::stream)
      opened_ = to_.open(on);
    else
      event_.begin = to_.now();
  }
  ~traced_call() {
    if (how_ == completion::arrival) return;
    if (how_ == completion::stream) {
      to_.close(opened_, event_, on_);
      return;
    }
    event_.end = to_.now();
    to_.add(event_);
  }
  traced_call(const traced_call&) = delete;
  traced_call& operator=(const traced_call&) = delete;

 private:
  trace_recorder& to_;
  const stream& on_;
  trace_event event_;
  completion how_;
  int opened_ = -1;
};

/// A put or get of `bytes` through channel `c`: does it, and records it unless `to` is null. A put
/// takes some ten nanoseconds where memory is shared, so that without a recorder nothing is done
/// for one.
template <class F>
void traced_copy(trace_recorder* to, const char* name, int from, int at, std::size_t bytes,
                 const channel& c, const stream& on, F&& copy) {
  if (to == nullptr) [[likely]]
    return copy();
  trace_event e;
  e.name = name;
  e.amount = static_cast<std::int64_t>(bytes);
  e.from = from;
  e.to = at;
  e.kind = trace_class::copy;
  const traced_call recorded(*to, e, c.completes(), on);
  copy();
}

/// A wait that a stream of a GPU rank does: puts it there, and records it unless `to` is null.
template <class F>
void traced_stream_wait(trace_recorder* to, int from, const stream& on, F&& wait) {
  if (to == nullptr) return wait();
  trace_event e;
  e.name = "wait_signal";
  e.from = from;
  e.kind = trace_class::wait;
  const traced_call recorded(*to, e, completion::stream, on);
  wait();
}

}  // namespace gossamer
