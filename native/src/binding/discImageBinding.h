#pragma once

#include <napi.h>

namespace stowage::binding {

/**
 * Computes the layout of an image on a thread of its own: `(columns) => { cancel(), finished:
 * Promise<layout> }`. `columns` has an array for each property of the entries, and the image's
 * names.
 *
 * The layout: `sectors()`, `firstSectors()` for each entry, and `write(output, sources, hashFiles,
 * hashImage) => { cancel(), bytesDone(), finished }`, whose result has the image's digest or the
 * failure.
 */
Napi::Value layOutDiscImage(const Napi::CallbackInfo& info);

} // namespace stowage::binding
