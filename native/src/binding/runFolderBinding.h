#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: makeRunFolder(directory, name) makes the folder and gives `{remove()}`, or
 * `{code, cause}`. The folder counts as in use until `remove` or until the object or the process is
 * gone. `remove()` gives null or `{code, cause}`.
 */
Napi::Value makeRunFolder(const Napi::CallbackInfo& info);

} // namespace stowage::binding
