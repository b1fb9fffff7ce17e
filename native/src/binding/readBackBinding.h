#pragma once

#include <napi.h>

namespace stowage::binding {

/** JavaScript: readBack(paths, offsets, lengths) gives {bytesDone(), cancel(), finished}; see `RawReadBack`.
 */
Napi::Value readBack(const Napi::CallbackInfo& info);

} // namespace stowage::binding
