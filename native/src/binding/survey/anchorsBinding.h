#pragma once

#include "core/survey/survey.h"

#include <napi.h>

#include <memory>

namespace stowage::binding {

/**
 * `takeAnchors()`: the promise of an object that answers questions about the anchors of a finished
 * survey.
 */
Napi::Value takeAnchors(Napi::Env env, std::shared_ptr<Survey> survey);

/** `reuseWithin(bytes, fileBytes, groups, groupCount, dictionaries)`, on the calling thread. */
Napi::Value reuseWithinBuffer(const Napi::CallbackInfo& info);

} // namespace stowage::binding
