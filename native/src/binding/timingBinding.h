#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: startTimedRun(options) gives an object with the methods of a running TimedRun and its
 * promise `finished`.
 */
Napi::Value startTimedRun(const Napi::CallbackInfo& info);

/** JavaScript: deviceFacts(path), readCounters(path), removeRunFolder(directory, name) and
 * timingOverheadNs(). */
Napi::Value deviceFacts(const Napi::CallbackInfo& info);
Napi::Value readCounters(const Napi::CallbackInfo& info);
Napi::Value removeRunFolder(const Napi::CallbackInfo& info);
Napi::Value timingOverhead(const Napi::CallbackInfo& info);

} // namespace stowage::binding
