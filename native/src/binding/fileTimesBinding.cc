#include "binding/fileTimesBinding.h"

#include "binding/arguments.h"
#include "platform/fileTimes.h"

namespace stowage::binding {

namespace {

constexpr size_t partsOfTimes = 4;
/** Doubles hold every whole number up to here. */
constexpr double mostSeconds = 9007199254740992.0;
constexpr double nanosecondsOfASecond = 1e9;

platform::FileTime timeFrom(Napi::Env env, double seconds, double nanoseconds) {
    if (!(seconds >= -mostSeconds && seconds <= mostSeconds) ||
        !(nanoseconds >= 0 && nanoseconds < nanosecondsOfASecond)) {
        throw Napi::TypeError::New(env, "a time must be whole seconds and nanoseconds");
    }
    return {static_cast<int64_t>(seconds), static_cast<int64_t>(nanoseconds)};
}

} // namespace

Napi::Value setFileTimes(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const std::string path = pathArgument(info[0]);
    if (!info[1].IsTypedArray() || info[1].As<Napi::TypedArray>().TypedArrayType() != napi_float64_array ||
        info[1].As<Napi::TypedArray>().ElementLength() != partsOfTimes) {
        throw Napi::TypeError::New(env, "times must be four numbers");
    }
    const auto parts = info[1].As<Napi::Float64Array>();
    const platform::FileTime accessed = timeFrom(env, parts[0], parts[1]);
    const platform::FileTime modified = timeFrom(env, parts[2], parts[3]);
    return Napi::Number::New(env, platform::setFileTimes(path, accessed, modified));
}

} // namespace stowage::binding
