// Plans that NCCL runs (nccl.hpp): what it cannot do is refused by every rank alike, then the first
// rank makes the communicators of all.
#include "collective/run/nccl.hpp"

#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collective/run/cuda/nccl_functions.hpp"
#include "collective/run/local_work.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

/// Elements as the library counts them.
struct counted {
  ncclDataType_t type;
  std::size_t count;
};

counted counted_as(element_type type, std::size_t element, std::size_t count) {
  switch (type) {
    case element_type::int32:
      return {ncclInt32, count};
    case element_type::uint32:
      return {ncclUint32, count};
    case element_type::int64:
      return {ncclInt64, count};
    case element_type::uint64:
      return {ncclUint64, count};
    case element_type::float32:
      return {ncclFloat32, count};
    case element_type::float64:
      return {ncclFloat64, count};
    case element_type::other:
      break;
  }
  return {ncclUint8, count * element};  // moved, never combined
}

ncclRedOp_t operator_of(reduction op) {
  return op == reduction::min ? ncclMin : op == reduction::max ? ncclMax : ncclSum;
}

/// Rank 0 makes them, one a rank: they are of this process.
ncclComm_t make_communicator(rank& r) {
  const auto p = static_cast<std::size_t>(r.size());
  std::vector<ncclComm_t> made(p);
  if (r.id() == 0) {
    std::vector<int> devices;
    for (int i = 0; i < r.size(); ++i) devices.push_back(r.owner()[i].ordinal);
    GOSSAMER_CHECK_NCCL(nccl::functions::get().init_all(made.data(), r.size(), devices.data()));
  }
  const auto mine = std::as_bytes(std::span(made));
  std::vector<std::byte> all(mine.size() * p);
  r.exchange(mine, all);
  std::memcpy(made.data(), all.data(), mine.size());
  return made[static_cast<std::size_t>(r.id())];
}

class nccl_call final : public library_call {
 public:
  nccl_call(rank& r, const collective_request& q, element_type type, reduction op,
            const plan_detail::buffers& where)
      : rank_(r),
        communicator_(make_communicator(r)),
        op_(q.op),
        root_(q.root),
        data_(counted_as(type, q.element, q.count)),
        how_(operator_of(op)),
        where_(where) {}
  nccl_call(const nccl_call&) = delete;
  nccl_call& operator=(const nccl_call&) = delete;
  /// Once its calls are done; or, when they never will be, because a peer does not call, ends them.
  ~nccl_call() override {
    const auto& call = nccl::functions::get();
    static_cast<void>(done() ? call.destroy(communicator_) : call.abort(communicator_));
  }

  void enqueue(const stream& on) override {
    used_ = &on;
    const auto& call = nccl::functions::get();
    auto* const queue = static_cast<cudaStream_t>(on.native());
    const void* const in = where_.input;
    void* const out = where_.output;
    const auto [type, n] = data_;
    switch (op_) {
      case collective_op::broadcast:  // one buffer; only the root's is read
        return GOSSAMER_CHECK_NCCL(call.broadcast(out, out, n, type, root_, communicator_, queue));
      case collective_op::reduce:
        return GOSSAMER_CHECK_NCCL(
            call.reduce(in, out, n, type, how_, root_, communicator_, queue));
      case collective_op::allreduce:
        return GOSSAMER_CHECK_NCCL(call.allreduce(in, out, n, type, how_, communicator_, queue));
      case collective_op::allgather:
        return GOSSAMER_CHECK_NCCL(call.allgather(in, out, n, type, communicator_, queue));
      case collective_op::reduce_scatter:
        return GOSSAMER_CHECK_NCCL(
            call.reduce_scatter(in, out, n, type, how_, communicator_, queue));
      default:  // library_algorithms() has no others
        break;
    }
  }

 private:
  bool done() {
    if (std::uncaught_exceptions() > unwinding_) return false;
    if (used_ == nullptr) return true;
    try {
      rank_.synchronize(used_);  // has a deadline, which ends the run
      return true;
    } catch (...) {
      return false;
    }
  }

  rank& rank_;
  ncclComm_t communicator_;
  collective_op op_;
  int root_;
  counted data_;
  ncclRedOp_t how_;
  plan_detail::buffers where_;
  const stream* used_ = nullptr;
  int unwinding_ = std::uncaught_exceptions();
};

/// What every rank sees alike.
void check_request(const rank& r, const collective_request& q, reduction op, plan_runner runner) {
  const std::string name = std::string(name_of(q.op)) + " nccl: ";
  for (int i = 0; i < r.size(); ++i) {
    const device& d = r.owner()[i];
    const std::string who = name + "rank " + std::to_string(i);
    require(d.is_cuda(), who + " is no GPU");
    require(d.process < 0, who + " is a process of its own; ranks must be GPUs of one");
    require(d.share == 1, who + " shares its GPU");
  }
  require(q.counts.empty(), name + "takes one count, not one per rank");
  require(q.mapping.empty(), name + "takes no mapping");
  require(runner != plan_runner::one_kernel, name + "cannot run as one_kernel");
  require(op != reduction::bit_or, name + "has no bit_or");
}

/// What each rank knows of its own buffers, told to all.
void check_buffers(rank& r, const collective_request& q, const plan_detail::buffers& where) {
  const auto pageable = [](const void* data, std::size_t n) {
    return n != 0 && collective_gpu::kind_of(data) == memory_kind::host;
  };
  const std::byte mine{pageable(where.input, where.input_count) ||
                       pageable(where.output, where.output_count)};
  std::vector<std::byte> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::span(&mine, 1), all);
  for (std::size_t i = 0; i < all.size(); ++i)
    require(all[i] == std::byte{0}, std::string(name_of(q.op)) + " nccl: rank " +
                                        std::to_string(i) + "'s buffer is in pageable host memory");
}

}  // namespace

std::unique_ptr<library_call> plan_nccl(rank& r, const collective_request& q, element_type type,
                                        reduction op, const plan_detail::buffers& where,
                                        plan_runner runner) {
  check_request(r, q, op, runner);
  check_buffers(r, q, where);
  return std::make_unique<nccl_call>(r, q, type, op, where);
}

}  // namespace gossamer
