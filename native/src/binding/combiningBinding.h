#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * combineFiles(paths, offsets, lengths, outputs): sums of multiples of parts of files, read side by
 * side. Paths as bytes and two Float64Arrays; each output is {file, bytes, factors}: an open file,
 * or null for a sum that is only hashed, and a Uint8Array. Gives {cancel(), finished, bytesDone()},
 * the promise of {cancelled, failure, outputFailure, sha256}, where `sha256` has 32 bytes for each
 * input, then for each output.
 */
Napi::Value combineFiles(const Napi::CallbackInfo& info);

} // namespace stowage::binding
