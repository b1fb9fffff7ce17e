#pragma once

#include <napi.h>

#include <string>
#include <vector>

namespace stowage::binding {

/** An array of bytes, as texts. */
std::vector<std::string> textsArgument(const Napi::Value& value);

/**
 * The rules of a file: `(content: Uint8Array) => { rules: { line, text }[], faults: { line, column,
 * cause }[], isUtf8 }`.
 */
Napi::Value rulesOfFile(const Napi::CallbackInfo& info);

/**
 * Finds faults in rules that are given together: `(texts: Uint8Array[]) => { faults: { index,
 * column, cause }[], ineffective: { rule, by, folder }[] }`. An empty rule is a fault.
 */
Napi::Value checkRules(const Napi::CallbackInfo& info);

/**
 * For each file the index of the first rule that describes it or a folder above, or -1: `(texts:
 * Uint8Array[], files: Uint8Array) => Int32Array`. Each path ends with a zero.
 */
Napi::Value firstRules(const Napi::CallbackInfo& info);

} // namespace stowage::binding
