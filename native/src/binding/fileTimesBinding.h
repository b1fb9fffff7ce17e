#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * setFileTimes(path, Float64Array of seconds and nanoseconds accessed, seconds and nanoseconds
 * modified); gives 0 or an errno value.
 */
Napi::Value setFileTimes(const Napi::CallbackInfo& info);

} // namespace stowage::binding
