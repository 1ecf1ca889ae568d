// Files that are no graphs: outputs, which appear whole or not at all, texts beside a graph, and
// what Python opens by itself.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <nanobind/stl/shared_ptr.h>

#include <cerrno>
#include <memory>
#include <stop_token>
#include <string>

#include "bindings.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/input_file.hpp"
#include "gossamer/base/output_file.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

using gossamer::output_file;

/// An output and the way to interrupt what is done with it.
struct interruptible_output {
  std::stop_source stop;
  std::unique_ptr<output_file> file;

  /// f(output_file&), which may wait for a pipe or a disk. What ends it early leaves no output.
  template <class F>
  static void run(const std::shared_ptr<interruptible_output>& self, const F& f) {
    try {
      run_work([self, f](work_control&) { f(self->file); },
               {.may_abandon = false, .stop = self->stop});
    } catch (...) {
      self->file = nullptr;
      throw;
    }
  }
};
using output_handle = std::shared_ptr<interruptible_output>;

output_file& opened(const output_handle& self) {
  gossamer::require(self->file != nullptr, "the output was given up");
  return *self->file;
}

output_handle open_output(const std::string& path) {
  auto made = std::make_shared<interruptible_output>();
  interruptible_output::run(made, [path, stop = made->stop.get_token()](auto& file) {
    file = std::make_unique<output_file>(path, stop);
  });
  return made;
}

void write(const output_handle& self, const nb::bytes& data) {
  if (opened(self).has_room(data.size())) return self->file->write(data.c_str(), data.size());
  // The caller's frame holds the bytes until this returns: nothing is abandoned.
  interruptible_output::run(self,
                            [p = data.c_str(), n = data.size()](auto& file) { file->write(p, n); });
}

/// What is open closes with its last reference. Ctrl-C comes between any two steps of Python: one
/// that lies between os.open() and the name for its number would lose the number.
struct descriptor {
  explicit descriptor(int opened) : number(opened) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number >= 0) ::close(number);
  }

  int number;
};
using descriptor_handle = std::shared_ptr<descriptor>;

[[noreturn]] void throw_os_error(const std::string& path) {
  PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
  throw nb::python_error();
}

/// Made before it is opened: too little memory leaves nothing open.
descriptor_handle open_descriptor(const std::string& path, int flags, int mode,
                                  const descriptor_handle& folder) {
  auto made = std::make_shared<descriptor>(-1);
  while (made->number < 0) {
    {
      const nb::gil_scoped_release others_run;
      made->number =
          ::openat(folder ? folder->number : AT_FDCWD, path.c_str(), flags | O_CLOEXEC, mode);
    }
    if (made->number >= 0) break;
    if (errno != EINTR) throw_os_error(path);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return made;
}

descriptor_handle open_memory(const std::string& name) {
  auto made = std::make_shared<descriptor>(-1);
  made->number = ::memfd_create(name.c_str(), MFD_CLOEXEC);
  if (made->number < 0) throw_os_error(name);
  return made;
}

}  // namespace

void bind_files(nb::module_& m) {
  nb::class_<descriptor>(m, "Descriptor", "What is open; it closes with its last reference.")
      .def_ro("number", &descriptor::number);
  m.def("open_descriptor", &open_descriptor, nb::arg("path"), nb::arg("flags"), nb::arg("mode") = 0,
        nb::arg("folder").none() = nb::none());
  m.def("open_memory", &open_memory, nb::arg("name"));
  nb::class_<interruptible_output>(m, "OutputFile", "A file that appears whole or not at all.")
      .def_prop_ro("stream", [](const output_handle& self) { return opened(self).stream(); })
      .def("write", &write, nb::arg("data"))
      .def(
          "patch",
          [](const output_handle& self, std::int64_t at, const nb::bytes& data) {
            static_cast<void>(opened(self));
            interruptible_output::run(self, [at, p = data.c_str(), n = data.size()](auto& file) {
              file->patch(at, p, n);
            });
          },
          nb::arg("at"), nb::arg("data"))
      .def("commit",
           [](const output_handle& self) {
             static_cast<void>(opened(self));
             interruptible_output::run(self, [](auto& file) { file->commit(); });
           })
      .def("discard", [](const output_handle& self) { self->file = nullptr; });
  m.def("open_output", &open_output, nb::arg("path"));
  m.def(
      "check_output",
      [](const std::string& path, const std::string& files_only) {
        return gossamer::check_output(path, files_only);
      },
      nb::arg("path"), nb::arg("files_only"));
  m.def(
      "file_identity",
      [](const std::string& path) {
        const std::string identity = gossamer::file_identity(path);
        return nb::bytes(identity.data(), identity.size());
      },
      nb::arg("path"));
  m.def(
      "check_input",
      [](const std::string& path, const std::string& what) {
        ::close(gossamer::open_input(path, what));
      },
      nb::arg("path"), nb::arg("what"));
  m.def(
      "read_text",
      [](const std::string& path, const std::string& what, std::size_t most) {
        const std::string text = run_work(
            [path, what, most](work_control&) { return gossamer::read_text(path, what, most); });
        return nb::bytes(text.data(), text.size());
      },
      nb::arg("path"), nb::arg("what"), nb::arg("most"));
}

}  // namespace gossamer_python
