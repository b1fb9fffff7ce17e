#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: opticalDrives() gives a promise of a list of {device, hasDisc, fileSystem, label,
 * bytes} (see platform/windows/opticalDrives.h).
 */
Napi::Value opticalDrives(const Napi::CallbackInfo& info);

} // namespace stowage::binding
