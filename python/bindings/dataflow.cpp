// Wirings and their runs; dataflow_flow.cpp has what programs do in them.
#include "dataflow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>

#include "gossamer/dataflow/reduction.hpp"
#include "text.hpp"
#include "trace.hpp"

namespace gossamer_python {

namespace {

namespace dataflow = gossamer::dataflow;
using dataflow::endpoint;
using dataflow::routing_policy;
using wiring_handle = std::shared_ptr<wiring_object>;
using policy_function = stated<"collections.abc.Callable[..., list[int]]">;
using program_function =
    stated<"collections.abc.Callable[[Flow], tuple[BaseException, str] | None]">;

routing_policy named_policy(const std::string& name) {
  if (name == "any_device") return dataflow::any_device();
  if (name == "ring") return dataflow::ring();
  if (name == "broadcast") return dataflow::broadcast();
  if (name == "scatter") return dataflow::scatter();
  if (name == "gather") return dataflow::gather();
  if (name == "peer_to_peer") return dataflow::peer_to_peer();
  throw gossamer::usage_error("router: policy '" + name +
                              "' is none of any_device, ring, broadcast, scatter, gather, "
                              "peer_to_peer, and no function");
}

dataflow::reduction_shape shape_of(const std::string& name) {
  if (name == "automatic") return dataflow::reduction_shape::automatic;
  if (name == "many_to_one") return dataflow::reduction_shape::many_to_one;
  if (name == "tree") return dataflow::reduction_shape::tree;
  throw gossamer::usage_error("reduction: shape '" + name +
                              "' is none of automatic, many_to_one, tree");
}

/// `choose(number, offset, bytes, total, tag, element, to, source, destinations)` gives positions
/// of nodes. Whoever calls owns both, as long as the wiring is in use.
routing_policy python_policy(wiring_object& of, std::string name, nb::handle choose) {
  return {std::move(name),
          [&of, choose](const dataflow::message& what, endpoint source,
                        std::span<const endpoint> destinations, dataflow::endpoint_list& possible) {
            const flow_handle flow = of.flows[static_cast<std::size_t>(of.wires[source].rank)];
            gossamer::require(flow != nullptr, "dataflow: a policy is asked outside of a run");
            flow->call([&] {
              nb::list all;
              for (const endpoint e : destinations) all.append(e.index);
              const nb::object chosen =
                  choose(what.number, what.offset, what.bytes, what.total, what.tag, what.element,
                         what.to.index, source.index, all);
              for (const nb::handle one : chosen) possible.push_back({nb::cast<int>(one)});
            });
          }};
}

/// Refuses changes while a run reads the graph.
dataflow::wiring& at_rest(const wiring_handle& self) {
  gossamer::require(self->runs == 0, "dataflow: the wiring is in a run, and cannot change");
  return self->wires;
}

/// One rank's program, which gives None or (exception, its line).
void run_rank(wiring_object& of, PyObject* program, dataflow::flow& flow) {
  const auto mine = std::make_shared<open_flow>();
  const gossamer::rank& r = flow.rank();
  mine->flow = &flow;
  mine->rank = r.id();
  mine->ranks = r.size();
  mine->ordinal = r.dev().is_cuda() ? r.dev().ordinal : -1;
  mine->memory = r.keep_memory();
  if (r.dev().model != nullptr) mine->side = std::make_unique<side_thread>();
  std::exception_ptr failure;
  const auto failed = [&](const nb::object& raised, const std::string& line) {
    int peer = -1, began = mine->rank;
    bool timed_out = false;
    try {
      if (mine->passed) std::rethrow_exception(mine->passed);
    } catch (const gossamer::foreign_error& e) {
      // The machine has to hear that a device is lost, whatever Python's code made of it.
      if (e.device_lost()) return std::current_exception();
    } catch (const gossamer::rank_error& e) {
      if (line.ends_with(e.what())) {
        began = e.rank();
        peer = e.peer();
        timed_out = e.timed_out();
      }
    } catch (...) {  // of any other type: the line says it
    }
    return std::make_exception_ptr(
        program_failed(line, began, peer, timed_out, keep_alive(raised)));
  };
  mine->call([&] {
    mine->user = std::this_thread::get_id();
    mine->python_thread = PyThread_get_thread_ident();
    of.flows[static_cast<std::size_t>(mine->rank)] = mine;
    try {
      nb::object said = nb::handle(program)(mine);
      if (said.is_none() && mine->failed != nullptr)
        said = nb::make_tuple(nb::borrow(static_cast<PyObject*>(mine->failed.get())),
                              "a policy or callback failed");
      if (!said.is_none()) failure = failed(said[0], nb::cast<std::string>(said[1]));
    } catch (const nb::python_error& e) {  // the request to stop, where the program ends
      failure = failed(nb::borrow(e.value()), "stopped");
    }
    mine->flow = nullptr;
    of.flows[static_cast<std::size_t>(mine->rank)] = nullptr;
  });
  mine->side.reset();
  if (failure) std::rethrow_exception(failure);
}

/// Programs that compute without a call into the library would not hear of a stop.
void interrupt(const wiring_object& of) {
  if (python_has_ended()) return;
  const nb::gil_scoped_acquire acquired;
  for (const auto& one : of.flows)
    if (one != nullptr && one->flow != nullptr && !one->away)
      PyThreadState_SetAsyncExc(one->python_thread, PyExc_KeyboardInterrupt);
}

void run_wiring(const wiring_handle& self, program_function program, std::optional<double> timeout,
                const trace_handle& trace) {
  if (python_is_taken_down())
    throw gossamer::cancelled_error(
        "dataflow: the interpreter ends, and runs no program on a rank's thread any more");
  gossamer::run_options options;
  options.trace = trace;
  auto waiting = within(timeout, "dataflow");
  if (timeout) {
    options.deadline =
        std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(*timeout, 1e9) * 1e9));
    waiting.late = std::make_shared<std::atomic<bool>>(false);
    options.overdue = [late = waiting.late, text = overdue("dataflow", *timeout)] {
      return late->load() ? text : std::string();
    };
  }
  options.cancel = waiting.stop.get_token();
  try {
    run_work(
        [self, options, program = keep_alive(std::move(program))](work_control& control) {
          ++self->runs;
          struct ending {
            wiring_object& of;
            ~ending() { --of.runs; }
          } const at_the_end{*self};
          const std::stop_callback on_stop(control.stop.get_token(), [&] { interrupt(*self); });
          dataflow::run(
              *self->machine, self->wires,
              [&](dataflow::flow& f) { run_rank(*self, static_cast<PyObject*>(program.get()), f); },
              options);
        },
        waiting);
  } catch (const program_failed& e) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(e.raised())), e.raised());
    nb::raise_python_error();
  }
}

}  // namespace

void bind_dataflow(nb::module_& m) {
  nb::class_<wiring_object>(m, "Wiring")
      .def(
          "__init__",
          [](wiring_object* self, const machine_handle& machine) {
            new (self) wiring_object(machine);
          },
          nb::arg("machine"))
      .def(
          "device", [](const wiring_handle& w, int rank) { return at_rest(w).device(rank).index; },
          nb::arg("rank"))
      .def(
          "add_endpoint",
          [](const wiring_handle& w, int rank, const std::string& name) {
            return at_rest(w).add_endpoint(rank, name).index;
          },
          nb::arg("rank"), nb::arg("name"))
      .def(
          "add_router",
          [](const wiring_handle& w, int inputs, int outputs, const std::string& policy,
             const policy_function& choose, bool to_all, const std::string& name) {
            auto made = choose.is_none() ? named_policy(policy) : python_policy(*w, policy, choose);
            if (to_all) made.how = dataflow::delivery::to_all;
            return at_rest(w).add_router(inputs, outputs, std::move(made), name).index;
          },
          nb::arg("inputs"), nb::arg("outputs"), nb::arg("policy"), nb::arg("choose").none(),
          nb::arg("to_all"), nb::arg("name"))
      .def(
          "add_reduction",
          [](const wiring_handle& w, int inputs, int outputs, const std::vector<int>& endpoints,
             const std::vector<int>& parents, const std::string& name) {
            std::vector<endpoint> ends;
            for (const int e : endpoints) ends.push_back({e});
            return at_rest(w)
                .add_router(inputs, outputs, dataflow::reduction_policy(ends, parents), name)
                .index;
          },
          nb::arg("inputs"), nb::arg("outputs"), nb::arg("endpoints"), nb::arg("parents"),
          nb::arg("name"))
      .def(
          "reduction_parents",
          [](const wiring_object& w, int root, const std::string& shape) {
            return dataflow::reduction_parents(*w.machine, root, shape_of(shape));
          },
          nb::arg("root"), nb::arg("shape"))
      .def(
          "connect",
          [](const wiring_handle& w, int from, int to, std::int64_t packet, int buffers,
             bool one_at_a_time) {
            return at_rest(w)
                .connect({from}, {to}, {static_cast<std::size_t>(packet), buffers, one_at_a_time})
                .index;
          },
          nb::arg("source"), nb::arg("target"), nb::arg("packet"), nb::arg("buffers"),
          nb::arg("one_at_a_time"))
      .def("check", [](const wiring_object& w) { w.wires.check(); })
      .def("dot", [](const wiring_object& w) { return w.wires.dot(); })
      .def("json", [](const wiring_object& w) { return w.wires.json(); })
      .def("run", &run_wiring, nb::arg("program"), nb::arg("timeout").none(),
           nb::arg("trace").none());
  bind_flow(m);
}

}  // namespace gossamer_python
