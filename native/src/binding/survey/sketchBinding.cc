#include "binding/survey/sketchBinding.h"

#include "binding/arguments.h"
#include "binding/asyncJob.h"
#include "binding/survey/levelValues.h"

namespace stowage::binding {

namespace {

std::vector<SketchInput> inputsFrom(const Napi::CallbackInfo& info) {
    if (!info[0].IsArray() || !info[1].IsArray()) {
        throw Napi::TypeError::New(info.Env(), "sketches must be an array of paths and one of file maps");
    }
    const auto paths = info[0].As<Napi::Array>();
    const auto maps = info[1].As<Napi::Array>();
    std::vector<SketchInput> inputs;
    for (uint32_t i = 0; i < paths.Length(); ++i) {
        SketchInput input;
        input.path = pathArgument(paths.Get(i));
        const Napi::Value map = maps.Get(i);
        if (map.IsTypedArray() && map.As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array) {
            const auto numbers = map.As<Napi::Uint32Array>();
            input.fileMap.emplace(numbers.Data(), numbers.Data() + numbers.ElementLength());
        } else if (!map.IsNull()) {
            throw Napi::TypeError::New(info.Env(), "a file map must be a Uint32Array or null");
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

Napi::Value mergeResult(Napi::Env env, SketchMerge& merge) {
    Napi::Object value = Napi::Object::New(env);
    value["failure"] = env.Null();
    if (merge.failure()) {
        Napi::Object failure = Napi::Object::New(env);
        failure["input"] = static_cast<double>(merge.failure()->input);
        failure["cause"] = merge.failure()->cause;
        value["failure"] = failure;
        return value;
    }
    value["blockLevels"] = levelsValue(env, merge.blockLevels());
    value["chunkLevels"] = chunkLevelsValue(env, merge.chunkLevels());
    value["files"] = fileLevelValue(env, merge.files());
    Napi::Array unattributed = Napi::Array::New(env, merge.unattributed().size());
    for (uint32_t level = 0; level < merge.unattributed().size(); ++level)
        unattributed[level] = static_cast<double>(merge.unattributed()[level].bytes);
    value["unattributedBytes"] = unattributed;
    value["offsets"] = copied(env, merge.offsets().data(), merge.offsets().size(), napi_uint32_array);
    Napi::Array profiles = Napi::Array::New(env, merge.terms().profiles.size());
    for (uint32_t i = 0; i < merge.terms().profiles.size(); ++i) {
        const ChunkProfile& profile = merge.terms().profiles[i];
        Napi::Object limits = Napi::Object::New(env);
        limits["minBytes"] = static_cast<double>(profile.minBytes);
        limits["normalBytes"] = static_cast<double>(profile.normalBytes);
        limits["maxBytes"] = static_cast<double>(profile.maxBytes);
        limits["limitBefore"] = Napi::BigInt::New(env, profile.limitBefore);
        limits["limitAfter"] = Napi::BigInt::New(env, profile.limitAfter);
        limits["runs"] = static_cast<uint32_t>(profile.runs);
        limits["longWindow"] = profile.longWindow;
        profiles[i] = limits;
    }
    value["profiles"] = profiles;
    return value;
}

} // namespace

Napi::Value mergeSketches(const Napi::CallbackInfo& info) {
    const std::string out = info[2].IsNull() ? std::string() : pathArgument(info[2]);
    const auto merge = std::make_shared<SketchMerge>(inputsFrom(info), out);
    return AsyncJob<SketchMerge>::start(info.Env(), "stowage sketches", merge, mergeResult);
}

} // namespace stowage::binding
