#pragma once

#include <napi.h>

namespace stowage::binding {

/** See `RawAddon` in src/engine/native/loadAddon.ts. */
Napi::Value readAttributes(const Napi::CallbackInfo& info);
Napi::Value setAttribute(const Napi::CallbackInfo& info);
Napi::Value accountName(const Napi::CallbackInfo& info);
Napi::Value accountId(const Napi::CallbackInfo& info);

} // namespace stowage::binding
