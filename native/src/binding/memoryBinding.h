#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: trimHeaps() gives a promise, settled when freed memory has gone back to the system.
 */
Napi::Value trimHeaps(const Napi::CallbackInfo& info);

} // namespace stowage::binding
