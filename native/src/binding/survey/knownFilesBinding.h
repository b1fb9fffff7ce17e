#pragma once

#include "core/survey/knownFiles.h"

#include <napi.h>

#include <memory>

namespace stowage::binding {

/**
 * JavaScript: createKnownFiles(isPart) gives {add(columns)}, to be handed to startSurvey as it is.
 */
Napi::Value createKnownFiles(const Napi::CallbackInfo& info);

/** The object that createKnownFiles made; null for null. Throws TypeError. */
std::shared_ptr<const KnownFiles> knownFilesArgument(const Napi::Value& value);

} // namespace stowage::binding
