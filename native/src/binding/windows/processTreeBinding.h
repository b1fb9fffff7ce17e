#pragma once

#include <napi.h>

namespace stowage::binding {

/** JavaScript: endProgramsWithThis() gives 0 or an errno value. */
Napi::Value endProgramsWithThis(const Napi::CallbackInfo& info);

/**
 * JavaScript: holdProcessTree(id) gives {end()}, whose processes end with the object too, or null
 * where the process cannot be held; end() gives 0 or an errno value.
 */
Napi::Value holdProcessTree(const Napi::CallbackInfo& info);

} // namespace stowage::binding
