#pragma once

#include <napi.h>

#include <cstring>
#include <string>
#include <vector>

namespace stowage::binding {

/** A path as JavaScript passes it here: its bytes. Throws TypeError. */
inline std::string pathArgument(const Napi::Value& value) {
    if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(value.Env(), "a path must be given as bytes");
    }
    const auto bytes = value.As<Napi::Uint8Array>();
    std::string path(reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength());
    if (path.empty() || path.find('\0') != std::string::npos) {
        throw Napi::TypeError::New(value.Env(), "a path must not be empty nor hold a zero byte");
    }
    return path;
}

/** A whole number from 0 to 2^53. Throws TypeError. */
inline uint64_t countArgument(const Napi::Value& value) {
    const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
    if (!(number >= 0 && number <= 9007199254740992.0)) {
        throw Napi::TypeError::New(value.Env(), "a size must be a whole number that is not negative");
    }
    return static_cast<uint64_t>(number);
}

inline bool flagArgument(const Napi::Value& value) {
    if (!value.IsBoolean()) throw Napi::TypeError::New(value.Env(), "a flag must be true or false");
    return value.As<Napi::Boolean>().Value();
}

/**
 * A copy as a typed array: memory of ours may not be lent to JavaScript where V8 keeps its own
 * apart (Electron).
 */
template <typename Item>
Napi::Value copied(Napi::Env env, const Item* items, size_t count, napi_typedarray_type type) {
    Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, count * sizeof(Item));
    if (count > 0) std::memcpy(buffer.Data(), items, count * sizeof(Item));
    return {env, Napi::TypedArrayOf<Item>::New(env, count, buffer, 0, type)};
}

inline Napi::Value copiedBytes(Napi::Env env, const void* bytes, size_t count) {
    return copied(env, static_cast<const uint8_t*>(bytes), count, napi_uint8_array);
}

} // namespace stowage::binding
