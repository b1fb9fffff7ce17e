#pragma once

#include "binding/asyncJob.h"

#include <type_traits>

namespace stowage::binding {

/**
 * Gives an object a method that calls `call(info, *held)`: nothing becomes undefined, a number a
 * number.
 */
template <typename Held, typename Call>
void method(Napi::Object& object, const char* name, const std::shared_ptr<Held>& held, Call call) {
    object[name] = Napi::Function::New(
        object.Env(),
        [held, call](const Napi::CallbackInfo& info) -> Napi::Value {
            using Result = std::invoke_result_t<Call, const Napi::CallbackInfo&, Held&>;
            if constexpr (std::is_void_v<Result>) {
                call(info, *held);
                return info.Env().Undefined();
            } else if constexpr (std::is_arithmetic_v<Result>) {
                return Napi::Number::New(info.Env(), static_cast<double>(call(info, *held)));
            } else {
                return call(info, *held);
            }
        },
        name);
}

/** Starts the work: gives {cancel(), finished}. */
template <typename Work>
Napi::Object startWork(Napi::Env env, const char* name, const std::shared_ptr<Work>& work,
                       typename AsyncJob<Work>::Settle settle) {
    Napi::Object object = Napi::Object::New(env);
    method(object, "cancel", work, [](const Napi::CallbackInfo&, Work& running) { running.cancel(); });
    object["finished"] = AsyncJob<Work>::start(env, name, work, std::move(settle));
    return object;
}

/** The same with bytesDone(), for work that counts them. */
template <typename Work>
Napi::Object startCountedWork(Napi::Env env, const char* name, const std::shared_ptr<Work>& work,
                              typename AsyncJob<Work>::Settle settle) {
    Napi::Object object = startWork<Work>(env, name, work, std::move(settle));
    method(object, "bytesDone", work,
           [](const Napi::CallbackInfo&, Work& running) { return running.bytesDone(); });
    return object;
}

} // namespace stowage::binding
