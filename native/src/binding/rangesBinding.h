#pragma once

#include "core/reading/rangeHashing.h"

#include <napi.h>

#include <vector>

namespace stowage::binding {

/** The ranges that the first three arguments name. Throws TypeError. */
std::vector<FileRange> rangesFrom(const Napi::CallbackInfo& info);

/**
 * JavaScript: hashRanges(paths, offsets, lengths, threads) gives {bytesDone(), cancel(), finished}.
 */
Napi::Value hashRanges(const Napi::CallbackInfo& info);

} // namespace stowage::binding
