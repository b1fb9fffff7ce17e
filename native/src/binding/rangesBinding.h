#pragma once

#include <napi.h>

namespace stowage::binding {

/** JavaScript: hashRanges(paths, offsets, lengths, threads) gives {bytesDone(), cancel(), finished}. */
Napi::Value hashRanges(const Napi::CallbackInfo& info);

} // namespace stowage::binding
