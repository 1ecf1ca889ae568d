// Steps over named values at vertices: their arrays, programs and runs.
#include "gossamer/algorithm/vertex_steps.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "arrays.hpp"
#include "gossamer/machine/forks.hpp"
#include "machine.hpp"
#include "prepared.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

using gossamer::vertex_steps;

/// What Python holds; work that was left behind as well.
struct steps_object : gossamer::call_lock {
  machine_handle machine;  // before `steps`, which goes first
  std::shared_ptr<vertex_steps> steps;
  std::atomic<bool> broken{false};  ///< a run failed: arrays and ranks may be in any state

 private:
  void lose() noexcept final { broken = true; }
};
using steps_handle = std::shared_ptr<steps_object>;
using bytes_view = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using fixed_bytes =
    nb::ndarray<nb::ro, const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<std::byte> bytes_of(const bytes_view& values) {
  return std::as_writable_bytes(std::span(values.data(), values.size()));
}

void check(const steps_object& s) {
  gossamer::require(!s.broken, "vertex steps: a run failed, and fields are lost: begin again");
}

steps_handle make_steps(const machine_handle& machine, const gossamer::graph& g,
                        std::int64_t memory) {
  return run_work([=](work_control& control) {
    gossamer::run_options how;
    how.cancel = control.stop.get_token();
    auto made = std::make_shared<steps_object>();
    made->machine = machine;
    made->steps = std::make_shared<vertex_steps>(*machine, g, memory, how);
    return made;
  });
}

/// f(vertex_steps&) where nothing else uses it.
template <class F>
void with(const steps_handle& s, const F& f) {
  check(*s);
  run_work(
      [s, f](work_control&) {
        const std::lock_guard lock(*s);
        f(*s->steps);
      },
      {.may_abandon = false});
}

auto run_steps(const steps_handle& s, int program, const bytes_view& numbers,
               std::optional<double> seconds) {
  check(*s);
  std::vector<std::int64_t> words(numbers.size() / sizeof(std::int64_t));
  if (!words.empty()) std::memcpy(words.data(), numbers.data(), numbers.size());
  auto options = within(seconds, "vertex steps");
  options.late = std::make_shared<std::atomic<bool>>(false);
  const std::string text = seconds ? overdue("vertex steps", *seconds) : std::string();
  struct done {
    gossamer::steps_outcome outcome;
    std::vector<std::int64_t> numbers;
  };
  const auto found = run_work(
      [s, program, words, seconds, late = options.late, text](work_control& control) mutable {
        const std::lock_guard lock(*s);
        gossamer::run_options how;
        how.deadline = deadline_of(seconds);
        how.cancel = control.stop.get_token();
        how.overdue = [late, text] { return late->load() ? text : std::string(); };
        try {
          const auto outcome = s->steps->run(program, words, how);
          return done{outcome, std::move(words)};
        } catch (const gossamer::usage_error&) {
          throw;
        } catch (...) {
          s->broken = true;
          throw;
        }
      },
      options);
  if (!found.numbers.empty())
    std::memcpy(numbers.data(), found.numbers.data(), found.numbers.size() * sizeof(std::int64_t));
  return std::make_tuple(found.outcome.stages, found.outcome.milliseconds);
}

int add_program(const steps_handle& s, std::uintptr_t cpu, const program_images& images, int words,
                int gathered) {
  gossamer::compiled_steps program;
  program.cpu = reinterpret_cast<const void*>(cpu);
  program.words = words;
  program.gathered = gathered;
  program.images = images_of(images);
  const auto number = std::make_shared<int>(-1);
  with(s, [=](vertex_steps& steps) { *number = steps.add_program(program); });
  return *number;
}

}  // namespace

void bind_vertex_steps(nb::module_& m) {
  m.def("steps_text", &gossamer::steps_text, nb::arg("gpu"),
        "What a program's source begins with, for the CPU's compiler or NVRTC.");
  nb::class_<steps_object>(m, "VertexSteps")
      .def(
          "add_array",
          [](const steps_handle& s, int element, bool shared) {
            const auto number = std::make_shared<int>(-1);
            with(s, [=](vertex_steps& steps) { *number = steps.add_array(element, shared); });
            return *number;
          },
          nb::arg("element"), nb::arg("shared"))
      .def(
          "write",
          [](const steps_handle& s, int array, const fixed_bytes& values) {
            const auto data = std::as_bytes(std::span(values.data(), values.size()));
            with(s, [array, data](auto& steps) { steps.write(array, data); });
          },
          nb::arg("array"), nb::arg("values"))
      .def(
          "read",
          [](const steps_handle& s, int array, const bytes_view& values) {
            with(s, [array, data = bytes_of(values)](auto& steps) { steps.read(array, data); });
          },
          nb::arg("array"), nb::arg("values"))
      .def_prop_ro("skewed", [](const steps_handle& s) { return s->steps->skewed(); })
      .def("add_program", &add_program, nb::arg("cpu"), nb::arg("images"), nb::arg("words"),
           nb::arg("gathered"))
      .def("run", &run_steps, nb::arg("program"), nb::arg("numbers"), nb::arg("timeout").none());
  m.def(
      "plan_vertex_steps",
      [](const machine_handle& machine, const gossamer::graph& g, std::int64_t own,
         std::int64_t shared, std::int64_t memory) {
        return plan_to_python(run_work([=](work_control&) {
          return vertex_steps::plan(*machine, g, {own, shared}, memory);
        }));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("own"), nb::arg("shared"), nb::arg("memory"));
  m.def(
      "plan_vertex_steps",
      [](const machine_handle& machine, const gossamer::graph_shape& g, std::int64_t own,
         std::int64_t shared, std::int64_t memory, int weight_bytes) {
        return plan_to_python(vertex_steps::plan(*machine, g, weight_bytes, {own, shared}, memory));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("own"), nb::arg("shared"), nb::arg("memory"),
      nb::arg("weight_bytes"));
  m.def("make_vertex_steps", &make_steps, nb::arg("machine"), nb::arg("graph"), nb::arg("memory"));
}

}  // namespace gossamer_python
