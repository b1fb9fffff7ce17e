#include "binding/runFolderBinding.h"

#include "binding/arguments.h"
#include "core/timing/timedRun.h"
#include "platform/timedFile.h"

namespace stowage::binding {

namespace {

Napi::Value failureValue(Napi::Env env, int error) {
    Napi::Object value = Napi::Object::New(env);
    value["code"] = timedErrorCode(error);
    value["cause"] = timedErrorCause(error);
    return value;
}

} // namespace

Napi::Value makeRunFolder(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const std::string name = info[1].ToString();
    if (!platform::RunFolder::possibleName(name)) {
        throw Napi::TypeError::New(env, "this is no name for a run's folder");
    }
    const auto folder = std::make_shared<platform::RunFolder>();
    const int error = folder->create(pathArgument(info[0]), name);
    if (error != 0) {
        // What was begun of it bears its marker or is empty.
        if (error != EEXIST) folder->remove();
        return failureValue(env, error);
    }
    Napi::Object value = Napi::Object::New(env);
    value["remove"] = Napi::Function::New(
        env,
        [folder](const Napi::CallbackInfo& call) -> Napi::Value {
            const int removed = folder->remove();
            return removed == 0 ? call.Env().Null() : failureValue(call.Env(), removed);
        },
        "remove");
    return value;
}

} // namespace stowage::binding
