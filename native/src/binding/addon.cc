#include "binding/knownFilesBinding.h"
#include "binding/rangesBinding.h"
#include "binding/sketchBinding.h"
#include "binding/surveyBinding.h"
#include "core/blockHash.h"

namespace {

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
    exports["startSurvey"] = Napi::Function::New(env, stowage::binding::startSurvey, "startSurvey");
    exports["hashRanges"] = Napi::Function::New(env, stowage::binding::hashRanges, "hashRanges");
    exports["createKnownFiles"] =
        Napi::Function::New(env, stowage::binding::createKnownFiles, "createKnownFiles");
    exports["mergeSketches"] = Napi::Function::New(env, stowage::binding::mergeSketches, "mergeSketches");
    exports["blockHash"] = Napi::String::New(env, stowage::blockHashVariants().front().name);
    return exports;
}

} // namespace

// NOLINTNEXTLINE: the macro's own code
NODE_API_MODULE(stowage, initialize)
