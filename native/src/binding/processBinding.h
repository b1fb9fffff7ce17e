#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: processStart(id) gives when a process started, as a whole number in text (see
 * platform/processes.h), or "" where that is not known.
 */
Napi::Value processStart(const Napi::CallbackInfo& info);

} // namespace stowage::binding
