#pragma once

#include "binding/arguments.h"
#include "binding/workObject.h"
#include "core/containers/encryption/secretBytes.h"
#include "core/containers/task.h"

#include <functional>
#include <memory>
#include <string>

namespace stowage::binding {

/** One operation on a container, for AsyncJob: remembers an expected failure with its code. */
class ContainerWork {
  public:
    explicit ContainerWork(std::function<void(containers::Task&)> action) : action_(std::move(action)) {}
    void run();
    void cancel() { task_.cancel(); }
    [[nodiscard]] uint64_t bytesDone() const { return task_.done(); }
    [[nodiscard]] uint64_t bytesTotal() const { return task_.total(); }
    /** Throws the failure, if there was one, as an Error with a `code`. */
    void throwFailure(Napi::Env env) const;

  private:
    std::function<void(containers::Task&)> action_;
    containers::Task task_;
    bool failed_ = false;
    containers::Fault fault_ = containers::Fault::io;
    std::string cause_;
};

/**
 * Starts it: gives {bytesDone(), bytesTotal(), cancel(), finished}; `value` makes what `finished`
 * resolves with.
 */
Napi::Object startWork(Napi::Env env, std::function<void(containers::Task&)> action,
                       std::function<Napi::Value(Napi::Env)> value);

/** For work that resolves with nothing. */
inline Napi::Value nothing(Napi::Env env) {
    return env.Undefined();
}

/** A copy of a password in locked memory; null for null. Throws TypeError. */
std::shared_ptr<containers::SecretBytes> passwordArgument(const Napi::Value& value);

} // namespace stowage::binding
