// C++ error types as the Python exceptions of gossamer.errors, most derived first.
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "bindings.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/arc_error.hpp"
#include "text.hpp"

namespace gossamer_python {

namespace {

void raise(const char* name, const char* what, const nb::dict& fields = {}) {
  // The module is imported already (gossamer/__init__ does so first): a dictionary look-up.
  nb::object type = nb::module_::import_("gossamer.errors").attr(name);
  nb::object value = type(printable(what));
  for (auto [key, field] : fields) nb::setattr(value, key, field);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void raise(const char* name, const std::exception& e, const nb::dict& fields = {}) {
  raise(name, e.what(), fields);
}

void translate(const std::exception_ptr& p, void*) {
  try {
    std::rethrow_exception(p);
  } catch (const gossamer::not_compiled& e) {
    raise("NotCompiled", e);
  } catch (const gossamer::usage_error& e) {
    raise("UsageError", e);
  } catch (const gossamer::arc_error& e) {
    nb::dict fields;
    fields["arc"] = nb::make_tuple(e.source(), e.target());
    fields["_around_arc"] = nb::make_tuple(printable(e.before()), printable(e.after()));
    raise("InputError", e, fields);
  } catch (const gossamer::input_error& e) {
    raise("InputError", e);
  } catch (const gossamer::capacity_error& e) {
    raise("CapacityError", e);
  } catch (const gossamer::verification_error& e) {
    raise("VerificationError", e);
  } catch (const gossamer::cancelled_error& e) {
    raise("Cancelled", e);
  } catch (const gossamer::rank_error& e) {
    nb::dict fields;
    fields["rank"] = e.rank();
    fields["peer"] = e.peer();
    raise(e.timed_out() ? "Timeout" : "RankError", e, fields);
  } catch (const gossamer::foreign_error& e) {
    nb::dict fields;
    fields["code"] = e.code();
    fields["device_lost"] = e.device_lost();
    raise("ForeignError", e, fields);
  } catch (const gossamer::error& e) {
    raise("Error", e);
  } catch (const std::filesystem::filesystem_error& e) {
    PyErr_SetObject(PyExc_OSError, printable(e.what()).ptr());
  } catch (const std::system_error& e) {
    raise("Error", (std::string("the system refuses what this needs: ") + e.what()).c_str());
  } catch (const std::bad_alloc&) {
    // What no plan foresaw, or a limit above what the system has.
    raise("CapacityError", "out of memory: the system has less than was planned with");
  } catch (const std::length_error&) {
    raise("CapacityError", "out of memory: an array would be larger than any can be");
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace gossamer_python
