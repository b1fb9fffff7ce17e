#include "binding/processBinding.h"

#include "binding/arguments.h"
#include "platform/processes.h"

namespace stowage::binding {

Napi::Value processStart(const Napi::CallbackInfo& info) {
    const uint64_t start = platform::processStart(static_cast<uint32_t>(countArgument(info[0])));
    return Napi::String::New(info.Env(), start == 0 ? "" : std::to_string(start));
}

} // namespace stowage::binding
