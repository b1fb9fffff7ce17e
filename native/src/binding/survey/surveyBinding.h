#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * JavaScript: startSurvey(options) gives an object with the methods of a running survey and its
 * promise `finished`.
 */
Napi::Value startSurvey(const Napi::CallbackInfo& info);

} // namespace stowage::binding
