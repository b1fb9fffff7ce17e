#include "binding/containers/containerWork.h"

namespace stowage::binding {

using containers::ContainerError;
using containers::Task;

void ContainerWork::run() {
    try {
        action_(task_);
    } catch (const ContainerError& error) {
        failed_ = true;
        fault_ = error.fault();
        cause_ = error.what();
    }
    // The captured values, such as passwords, are not needed until JavaScript forgets the job.
    action_ = nullptr;
}

void ContainerWork::throwFailure(Napi::Env env) const {
    if (!failed_) return;
    const Napi::Error error = Napi::Error::New(env, cause_);
    error.Value()["code"] = containers::faultName(fault_);
    throw Napi::Error(env, error.Value());
}

Napi::Object startWork(Napi::Env env, std::function<void(Task&)> action,
                       std::function<Napi::Value(Napi::Env)> value) {
    const auto work = std::make_shared<ContainerWork>(std::move(action));
    Napi::Object object = startCountedWork<ContainerWork>(
        env, "stowage container", work, [value = std::move(value)](Napi::Env here, ContainerWork& done) {
            done.throwFailure(here);
            return value(here);
        });
    method(object, "bytesTotal", work,
           [](const Napi::CallbackInfo&, ContainerWork& running) { return running.bytesTotal(); });
    return object;
}

std::shared_ptr<containers::SecretBytes> passwordArgument(const Napi::Value& value) {
    if (value.IsNull() || value.IsUndefined()) return nullptr;
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(value.Env(), "a password must be given as bytes");
    }
    const auto bytes = value.As<Napi::Uint8Array>();
    return std::make_shared<containers::SecretBytes>(bytes.Data(), bytes.ByteLength());
}

} // namespace stowage::binding
