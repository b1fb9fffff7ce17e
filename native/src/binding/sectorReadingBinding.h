#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: readSectors(paths, offsets, lengths, asWhole) gives {bytesDone(), cancel(),
 * finished}; see `RawSectorReading`.
 */
Napi::Value readSectors(const Napi::CallbackInfo& info);

} // namespace stowage::binding
