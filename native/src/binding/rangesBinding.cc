#include "binding/rangesBinding.h"

#include "binding/arguments.h"
#include "binding/workObject.h"

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

} // namespace

Napi::Value hashRanges(const Napi::CallbackInfo& info) {
    const auto threads = static_cast<unsigned>(std::min<uint64_t>(countArgument(info[3]), 64));
    const auto hashing = std::make_shared<RangeHashing>(rangesFrom(info), threads);
    return startCountedWork(info.Env(), "stowage hashing", hashing, hashingResult);
}

} // namespace stowage::binding
