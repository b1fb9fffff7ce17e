#include "binding/threadTimeBinding.h"

#include "platform/threadTime.h"

namespace stowage::binding {

Napi::Value threadCpuMs(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), platform::threadCpuMs());
}

} // namespace stowage::binding
