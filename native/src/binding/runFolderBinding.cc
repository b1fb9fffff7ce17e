#include "binding/runFolderBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/workObject.h"
#include "platform/timedFile.h"

namespace stowage::binding {

Napi::Value makeRunFolder(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const std::string name = info[1].ToString();
    if (!platform::RunFolder::possibleName(name)) {
        throw Napi::TypeError::New(env, "this is no name for a run's folder");
    }
    const auto folder = std::make_shared<platform::RunFolder>();
    const int error = folder->create(pathArgument(info[0]), name);
    if (error != 0) {
        // The unfinished folder bears its marker or is empty.
        if (error != EEXIST) folder->remove();
        return errorValue(env, error);
    }
    Napi::Object value = Napi::Object::New(env);
    method(value, "remove", folder,
           [](const Napi::CallbackInfo& call, platform::RunFolder& held) -> Napi::Value {
               const int removed = held.remove();
               return removed == 0 ? call.Env().Null() : errorValue(call.Env(), removed);
           });
    return value;
}

} // namespace stowage::binding
