#include "binding/sectorReadingBinding.h"

#include "binding/arguments.h"
#include "binding/errorValue.h"
#include "binding/rangesBinding.h"
#include "binding/workObject.h"
#include "core/reading/sectorReading.h"

namespace stowage::binding {

namespace {

Napi::Value unreadableValue(Napi::Env env, const Unreadable& part) {
    Napi::Object value = Napi::Object::New(env);
    value["index"] = part.range;
    value["offset"] = static_cast<double>(part.offset);
    value["length"] = static_cast<double>(part.length);
    value["cause"] = causeValue(env, part.error);
    return value;
}

Napi::Value waysValue(Napi::Env env, const ReadingWays& ways) {
    Napi::Object value = Napi::Object::New(env);
    value["uncachedBytes"] = static_cast<double>(ways.uncachedBytes);
    value["droppedBytes"] = static_cast<double>(ways.droppedBytes);
    value["cachedBytes"] = static_cast<double>(ways.cachedBytes);
    value["refusal"] = causeValue(env, ways.refusal);
    return value;
}

Napi::Value sectorReadingResult(Napi::Env env, SectorReading& reading) {
    Napi::Object value = Napi::Object::New(env);
    value["cancelled"] = reading.cancelled();
    value["sha256"] =
        copiedBytes(env, reading.digests().data(), reading.digests().size() * sizeof(Sha256Digest));
    value["whole"] = copiedBytes(env, reading.wholeDigest().data(), reading.wholeDigest().size());
    Napi::Array unreadable = Napi::Array::New(env, reading.unreadable().size());
    for (uint32_t i = 0; i < reading.unreadable().size(); ++i)
        unreadable[i] = unreadableValue(env, reading.unreadable()[i]);
    value["unreadable"] = unreadable;
    Napi::Array errors = Napi::Array::New(env, reading.errors().size());
    for (uint32_t i = 0; i < reading.errors().size(); ++i) {
        Napi::Object error = errorValue(env, reading.errors()[i].second);
        error["index"] = reading.errors()[i].first;
        errors[i] = error;
    }
    value["errors"] = errors;
    value["ways"] = waysValue(env, reading.ways());
    return value;
}

} // namespace

Napi::Value readSectors(const Napi::CallbackInfo& info) {
    const ReadAs as = flagArgument(info[3]) ? ReadAs::whole : ReadAs::ranges;
    const auto reading = std::make_shared<SectorReading>(rangesFrom(info), as);
    return startCountedWork(info.Env(), "stowage reading back", reading, sectorReadingResult);
}

} // namespace stowage::binding
