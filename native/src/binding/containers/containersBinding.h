#pragma once

#include <napi.h>

namespace stowage::binding {

// Each gives a job: {bytesDone(), bytesTotal(), cancel(), finished}. Wrong arguments throw
// TypeError; `finished` rejects with an Error whose `code` is one of the application's.

/** JavaScript: createContainer(path, wish). */
Napi::Value createContainer(const Napi::CallbackInfo& info);
/**
 * openContainer(path, writable, password | null); resolves with the container, whose methods give
 * jobs too. One job at a time: a second one waits on a thread.
 */
Napi::Value openContainer(const Napi::CallbackInfo& info);
/** containerEncryption(path); resolves with the facts or null. */
Napi::Value containerEncryption(const Napi::CallbackInfo& info);
/** changeContainerPassword(path, old, new, rounds). */
Napi::Value changeContainerPassword(const Napi::CallbackInfo& info);
/** convertContainer(source, password | null, target, wish, level). */
Napi::Value convertContainer(const Napi::CallbackInfo& info);
/** rebandBundle(path, partialPath, password | null, bandBytes). */
Napi::Value rebandBundle(const Napi::CallbackInfo& info);
/** dropCachedPages(path); resolves with {checkedBytes, residentBytes | null}. */
Napi::Value dropCachedPages(const Napi::CallbackInfo& info);

} // namespace stowage::binding
