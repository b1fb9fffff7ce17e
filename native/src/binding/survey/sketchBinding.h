#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: mergeSketches(paths, fileMaps, out) gives a promise of {failure} or of the union's
 * figures. A file map is a Uint32Array or null; an empty `out` writes nothing.
 */
Napi::Value mergeSketches(const Napi::CallbackInfo& info);

} // namespace stowage::binding
