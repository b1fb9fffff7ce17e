#pragma once

#include <napi.h>

namespace stowage::binding {

/** JavaScript: threadCpuMs() gives the CPU time of the calling thread in milliseconds. */
Napi::Value threadCpuMs(const Napi::CallbackInfo& info);

} // namespace stowage::binding
