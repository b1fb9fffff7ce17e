#include "binding/rangesBinding.h"

#include "binding/arguments.h"
#include "binding/asyncJob.h"
#include "core/reading/wholeReading.h"
#include "core/timing/timedRun.h"

#include <cerrno>

namespace stowage::binding {

std::vector<FileRange> rangesFrom(const Napi::CallbackInfo& info) {
    if (!info[0].IsArray() || !info[1].IsTypedArray() || !info[2].IsTypedArray()) {
        throw Napi::TypeError::New(info.Env(), "ranges must be an array of paths and two arrays of numbers");
    }
    const auto paths = info[0].As<Napi::Array>();
    const auto offsets = info[1].As<Napi::Object>();
    const auto lengths = info[2].As<Napi::Object>();
    std::vector<FileRange> ranges(paths.Length());
    for (uint32_t i = 0; i < paths.Length(); ++i) {
        ranges[i].path = pathArgument(paths.Get(i));
        ranges[i].offset = countArgument(offsets.Get(i));
        ranges[i].length = countArgument(lengths.Get(i));
    }
    return ranges;
}

namespace {

Napi::Value hashingResult(Napi::Env env, RangeHashing& hashing) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = hashing.cancelled();
    value["sha256"] =
        copiedBytes(env, hashing.digests().data(), hashing.digests().size() * sizeof(Sha256Digest));
    Napi::Array errors = Napi::Array::New(env, hashing.errors().size());
    for (uint32_t i = 0; i < hashing.errors().size(); ++i) {
        Napi::Object error = Napi::Object::New(env);
        error["index"] = hashing.errors()[i].first;
        error["code"] = skipCodeName(hashing.errors()[i].second.code);
        error["cause"] = hashing.errors()[i].second.cause;
        errors[i] = error;
    }
    value["errors"] = errors;
    return value;
}

Napi::Value wholeReadingResult(Napi::Env env, WholeReading& reading) {
    Napi::Object value = Napi::Object::New(env);
    const int error = reading.error();
    value["cancelled"] = reading.cancelled();
    value["code"] = error == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCode(error)));
    value["cause"] = error == 0 ? env.Null() : Napi::Value(Napi::String::New(env, timedErrorCause(error)));
    value["isShort"] = error == ENODATA;
    value["uncached"] = reading.uncached();
    value["sha256"] = copiedBytes(env, reading.digest().data(), reading.digest().size());
    value["ranges"] =
        copiedBytes(env, reading.rangeDigests().data(), reading.rangeDigests().size() * sizeof(Sha256Digest));
    return value;
}

} // namespace

Napi::Value hashRanges(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const auto threads = static_cast<unsigned>(std::min<uint64_t>(countArgument(info[3]), 64));
    const auto hashing = std::make_shared<RangeHashing>(rangesFrom(info), threads);
    Napi::Object object = Napi::Object::New(env);
    object["bytesDone"] = Napi::Function::New(env, [hashing](const Napi::CallbackInfo& call) -> Napi::Value {
        return Napi::Number::New(call.Env(), static_cast<double>(hashing->bytesDone()));
    });
    object["cancel"] = Napi::Function::New(env, [hashing](const Napi::CallbackInfo&) { hashing->cancel(); });
    object["finished"] = AsyncJob<RangeHashing>::start(env, "stowage hashing", hashing, hashingResult);
    return object;
}

Napi::Value readWhole(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    if (!info[2].IsTypedArray() || !info[3].IsTypedArray())
        throw Napi::TypeError::New(env, "ranges must be two arrays of numbers");
    const auto offsets = info[2].As<Napi::Object>();
    const auto lengths = info[3].As<Napi::Object>();
    std::vector<ByteRange> ranges(info[2].As<Napi::TypedArray>().ElementLength());
    for (uint32_t i = 0; i < ranges.size(); ++i)
        ranges[i] = {countArgument(offsets.Get(i)), countArgument(lengths.Get(i))};
    const auto reading =
        std::make_shared<WholeReading>(pathArgument(info[0]), countArgument(info[1]), std::move(ranges));
    Napi::Object object = Napi::Object::New(env);
    object["bytesDone"] = Napi::Function::New(env, [reading](const Napi::CallbackInfo& call) -> Napi::Value {
        return Napi::Number::New(call.Env(), static_cast<double>(reading->bytesDone()));
    });
    object["cancel"] = Napi::Function::New(env, [reading](const Napi::CallbackInfo&) { reading->cancel(); });
    object["finished"] =
        AsyncJob<WholeReading>::start(env, "stowage whole reading", reading, wholeReadingResult);
    return object;
}

} // namespace stowage::binding
