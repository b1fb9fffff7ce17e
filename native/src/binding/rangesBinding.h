#pragma once

#include <napi.h>

namespace stowage::binding {

/** JavaScript: hashRanges(paths, offsets, lengths, threads) gives {bytesDone(), cancel(), finished}. */
Napi::Value hashRanges(const Napi::CallbackInfo& info);

/** JavaScript: readBack(path, length, offsets, lengths) gives {bytesDone(), cancel(), finished}. */
Napi::Value readBack(const Napi::CallbackInfo& info);

} // namespace stowage::binding
