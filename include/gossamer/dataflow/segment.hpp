// Segments: what is sent, and what has been received and not given back.
//
// A send is one message of any size. It travels in segments no larger than the packets of its link
// and the buffers at the other end. Each is routed by itself, and each knows where in its message
// it lies. Messages that are under way on one link at the same time take turns segment by segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/dataflow/endpoint.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::dataflow {

/// What a routing policy and a receiver know of a segment beside its bytes.
struct message {
  std::uint64_t number = 0;   ///< of the send among those of its link, from 0
  std::uint64_t offset = 0;   ///< where the segment begins in the message, bytes
  std::uint64_t bytes = 0;    ///< of the segment; for a policy: all that is left to send
  std::uint64_t total = 0;    ///< of the whole message, bytes
  std::uint64_t tag = 0;      ///< the program's own (send_options::tag)
  std::uint32_t element = 1;  ///< bytes of what is never cut in two
  endpoint to;                ///< whom the sender named (send_options::to); index -1: nobody
};

/// A segment in a receive buffer. It occupies the buffer until link::release gives it back; an
/// empty one says that the stream has ended and occupies nothing.
class pending_segment {
 public:
  pending_segment() = default;
  pending_segment(const message& what, endpoint source, std::span<std::byte> data, int lane,
                  int slot)
      : what_(what), source_(source), data_(data), lane_(lane), slot_(slot) {}

  /// True for the end of the stream. A message without bytes is not empty.
  [[nodiscard]] bool empty() const noexcept { return lane_ < 0; }
  explicit operator bool() const noexcept { return !empty(); }
  [[nodiscard]] const message& what() const noexcept { return what_; }
  /// Who sent it; routers in between do not show.
  [[nodiscard]] endpoint source() const noexcept { return source_; }
  /// The bytes, in the receiving rank's own memory; free to be changed until released.
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return data_; }
  /// The same as elements; a rest smaller than one is left out.
  template <class T>
  [[nodiscard]] std::span<T> as() const noexcept {
    return {reinterpret_cast<T*>(data_.data()), data_.size() / sizeof(T)};
  }
  /// Work submitted to the stream from now on sees the bytes. Nothing has to be done: they were
  /// there when the segment was handed out, since signals are delivered behind the puts that they
  /// announce. It is here so that programs can say where their order comes from.
  void synchronize(const stream&) const noexcept {}

 private:
  friend class pipelined_receiver;
  message what_;
  endpoint source_;
  std::span<std::byte> data_;
  int lane_ = -1, slot_ = 0;
};

}  // namespace gossamer::dataflow
