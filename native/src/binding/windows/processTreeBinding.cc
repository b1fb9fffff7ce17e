#include "binding/windows/processTreeBinding.h"

#include "binding/arguments.h"
#include "binding/workObject.h"
#include "platform/windows/processTree.h"

namespace stowage::binding {

Napi::Value endProgramsWithThis(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), platform::endProgramsWithThis());
}

Napi::Value holdProcessTree(const Napi::CallbackInfo& info) {
    const auto tree = std::make_shared<platform::ProcessTree>();
    if (tree->hold(static_cast<uint32_t>(countArgument(info[0]))) != 0) return info.Env().Null();
    Napi::Object object = Napi::Object::New(info.Env());
    method(object, "end", tree,
           [](const Napi::CallbackInfo&, platform::ProcessTree& held) { return held.end(); });
    return object;
}

} // namespace stowage::binding
