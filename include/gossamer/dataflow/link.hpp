// link: what an endpoint sends and receives with while the program runs.
//
// Nothing here blocks but the waits of futures, and those are bounded by the run's deadline. While
// a rank waits for anything, its other links go on: queued sends leave as buffers become free, and
// receive callbacks are called. A rank that computes for long without such a call holds up what it
// has queued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include "gossamer/dataflow/segment.hpp"

namespace gossamer::dataflow {

struct flow_state;
class link;

struct send_options {
  std::uint64_t tag = 0;          ///< handed to policies and receivers
  endpoint to = {};               ///< for policies that let the sender name a destination
  const stream* after = nullptr;  ///< the data is there after the work submitted to it so far
};

/// A message on its way. Copies share it.
class send_future {
 public:
  send_future() = default;
  /// True when all segments have left: on a CPU rank the source may be reused.
  [[nodiscard]] bool done() const;
  /// Waits for done(); on a GPU rank also until the source may be reused.
  void wait() const;
  /// A moment after the last segment, in the order of the stream that sends: other streams can wait
  /// for it (event_future::block). On a CPU rank it is recorded at once when done. Allocates.
  [[nodiscard]] event_future moment() const;

 private:
  friend class link;
  send_future(flow_state* flow, int link, std::uint64_t number)
      : flow_(flow), link_(link), number_(number) {}
  flow_state* flow_ = nullptr;
  int link_ = -1;
  std::uint64_t number_ = 0;
};

/// A segment to come: the first one that nobody has taken when get() is called.
class receive_future {
 public:
  [[nodiscard]] bool ready() const;
  /// Waits for it; empty at the end of the stream.
  pending_segment get() const;

 private:
  friend class link;
  receive_future(flow_state* flow, int link) : flow_(flow), link_(link) {}
  flow_state* flow_;
  int link_;
};

/// One end, or both, of a link that an endpoint of this rank has. Cheap to copy.
class link {
 public:
  link(flow_state& flow, link_id id) : flow_(&flow), id_(id.index) {}

  /// Queues a message; `data` must stay as it is until the future is done. Waits for one to leave
  /// where 64 messages of the link are queued already. Throws usage_error when the link does not
  /// begin here, was shut down, or its packets are smaller than an element.
  template <class T>
  send_future send(std::span<const T> data, const send_options& options = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    return send_bytes(std::as_bytes(data), sizeof(T), options);
  }
  template <class T>
  send_future send(std::span<T> data, const send_options& options = {}) {
    return send(std::span<const T>(data), options);
  }
  /// The same for elements of a given number of bytes, whose type is not known here.
  send_future send_bytes(std::span<const std::byte> data, std::size_t element,
                         const send_options& options = {});
  /// Nothing further will be sent: receivers find the end of the stream behind what is queued.
  void shutdown();

  /// The segment to come. Throws usage_error when the link does not end here, or has a callback.
  [[nodiscard]] receive_future receive();
  /// Gives the buffer back to its sender; if `after` is given, after the work submitted to it so
  /// far. Throws usage_error for a segment of another link, and for one that was released before.
  void release(const pending_segment& segment, const stream* after = nullptr);
  /// `each` is called for every segment from now on, whenever this rank waits for anything, and the
  /// segment is then released. It may send, and wait; callbacks of other links are called
  /// meanwhile.
  void on_receive(std::function<void(const pending_segment&)> each);

  [[nodiscard]] std::string name() const;

 private:
  flow_state* flow_;
  int id_;
};

}  // namespace gossamer::dataflow
