#pragma once

#include <napi.h>

namespace stowage::binding {

/** See `RawPipeControl` in src/engine/native/rawPipe.ts for what it takes and gives. */
Napi::Value startPipe(const Napi::CallbackInfo& info);

/** JavaScript: openPipe() gives {read, write}, open files by their numbers. */
Napi::Value openPipe(const Napi::CallbackInfo& info);

} // namespace stowage::binding
