#pragma once

#include <napi.h>

namespace stowage::binding {

/** startDeflate() -> {add(bytes, isLast) -> Promise<Uint8Array>, crc32()} */
Napi::Value startDeflate(const Napi::CallbackInfo& info);

} // namespace stowage::binding
