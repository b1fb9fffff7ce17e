#pragma once

#include "core/timing/timedRun.h"

#include <napi.h>

namespace stowage::binding {

/** A few plain words for an errno value; null for 0. */
inline Napi::Value causeValue(Napi::Env env, int error) {
    return error == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCause(error)));
}

/** The application's code for an errno value; null for 0. */
inline Napi::Value codeValue(Napi::Env env, int error) {
    return error == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCode(error)));
}

/** {code, cause} of an errno value. */
inline Napi::Object errorValue(Napi::Env env, int error) {
    Napi::Object value = Napi::Object::New(env);
    value["code"] = codeValue(env, error);
    value["cause"] = causeValue(env, error);
    return value;
}

} // namespace stowage::binding
