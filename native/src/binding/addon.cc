#include "binding/attributesBinding.h"
#include "binding/combiningBinding.h"
#include "binding/containers/containersBinding.h"
#include "binding/deflateBinding.h"
#include "binding/discImageBinding.h"
#include "binding/fileTimesBinding.h"
#include "binding/memoryBinding.h"
#include "binding/pipeBinding.h"
#include "binding/processBinding.h"
#include "binding/protectionBinding.h"
#include "binding/rangesBinding.h"
#include "binding/runFolderBinding.h"
#include "binding/sectorReadingBinding.h"
#include "binding/survey/anchorsBinding.h"
#include "binding/survey/knownFilesBinding.h"
#include "binding/survey/rulesBinding.h"
#include "binding/survey/sketchBinding.h"
#include "binding/survey/surveyBinding.h"
#include "binding/threadTimeBinding.h"
#include "binding/timingBinding.h"
#include "core/hashing/blockHash.h"
#include "platform/fileSystem.h"
#ifdef _WIN32
#include "binding/windows/opticalDrivesBinding.h"
#include "binding/windows/processTreeBinding.h"
#endif

#include <stdexcept>

namespace {

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
    stowage::platform::shareHeaps();
    exports["startSurvey"] = Napi::Function::New(env, stowage::binding::startSurvey, "startSurvey");
    exports["rulesOfFile"] = Napi::Function::New(env, stowage::binding::rulesOfFile, "rulesOfFile");
    exports["checkRules"] = Napi::Function::New(env, stowage::binding::checkRules, "checkRules");
    exports["firstRules"] = Napi::Function::New(env, stowage::binding::firstRules, "firstRules");
    exports["hashRanges"] = Napi::Function::New(env, stowage::binding::hashRanges, "hashRanges");
    exports["readSectors"] = Napi::Function::New(env, stowage::binding::readSectors, "readSectors");
    exports["startTimedRun"] = Napi::Function::New(env, stowage::binding::startTimedRun, "startTimedRun");
    exports["deviceFacts"] = Napi::Function::New(env, stowage::binding::deviceFacts, "deviceFacts");
    exports["readCounters"] = Napi::Function::New(env, stowage::binding::readCounters, "readCounters");
    exports["removeRunFolder"] =
        Napi::Function::New(env, stowage::binding::removeRunFolder, "removeRunFolder");
    exports["makeRunFolder"] = Napi::Function::New(env, stowage::binding::makeRunFolder, "makeRunFolder");
    exports["timingOverheadNs"] =
        Napi::Function::New(env, stowage::binding::timingOverhead, "timingOverheadNs");
    exports["layOutDiscImage"] =
        Napi::Function::New(env, stowage::binding::layOutDiscImage, "layOutDiscImage");
    exports["startDeflate"] = Napi::Function::New(env, stowage::binding::startDeflate, "startDeflate");
    exports["openPipe"] = Napi::Function::New(env, stowage::binding::openPipe, "openPipe");
    exports["startPipe"] = Napi::Function::New(env, stowage::binding::startPipe, "startPipe");
    exports["createKnownFiles"] =
        Napi::Function::New(env, stowage::binding::createKnownFiles, "createKnownFiles");
    exports["mergeSketches"] = Napi::Function::New(env, stowage::binding::mergeSketches, "mergeSketches");
    exports["trimHeaps"] = Napi::Function::New(env, stowage::binding::trimHeaps, "trimHeaps");
    exports["threadCpuMs"] = Napi::Function::New(env, stowage::binding::threadCpuMs, "threadCpuMs");
    exports["processStart"] = Napi::Function::New(env, stowage::binding::processStart, "processStart");
#ifdef _WIN32
    exports["endProgramsWithThis"] =
        Napi::Function::New(env, stowage::binding::endProgramsWithThis, "endProgramsWithThis");
    exports["holdProcessTree"] =
        Napi::Function::New(env, stowage::binding::holdProcessTree, "holdProcessTree");
    exports["opticalDrives"] = Napi::Function::New(env, stowage::binding::opticalDrives, "opticalDrives");
#endif
    exports["reuseWithin"] = Napi::Function::New(env, stowage::binding::reuseWithinBuffer, "reuseWithin");
    exports["createContainer"] = Napi::Function::New(env, stowage::binding::createContainer);
    exports["openContainer"] = Napi::Function::New(env, stowage::binding::openContainer);
    exports["containerEncryption"] = Napi::Function::New(env, stowage::binding::containerEncryption);
    exports["changeContainerPassword"] = Napi::Function::New(env, stowage::binding::changeContainerPassword);
    exports["convertContainer"] = Napi::Function::New(env, stowage::binding::convertContainer);
    exports["rebandBundle"] = Napi::Function::New(env, stowage::binding::rebandBundle);
    exports["dropCachedPages"] = Napi::Function::New(env, stowage::binding::dropCachedPages);
    exports["setFileTimes"] = Napi::Function::New(env, stowage::binding::setFileTimes, "setFileTimes");
    exports["readAttributes"] = Napi::Function::New(env, stowage::binding::readAttributes, "readAttributes");
    exports["setAttribute"] = Napi::Function::New(env, stowage::binding::setAttribute, "setAttribute");
    exports["accountName"] = Napi::Function::New(env, stowage::binding::accountName, "accountName");
    exports["protectFiles"] = Napi::Function::New(env, stowage::binding::protectFiles, "protectFiles");
    exports["combineFiles"] = Napi::Function::New(env, stowage::binding::combineFiles, "combineFiles");
    exports["repairBlocks"] = Napi::Function::New(env, stowage::binding::repairBlocks, "repairBlocks");
    exports["md5Ranges"] = Napi::Function::New(env, stowage::binding::md5Ranges, "md5Ranges");
    exports["accountId"] = Napi::Function::New(env, stowage::binding::accountId, "accountId");
    try {
        exports["blockHash"] = Napi::String::New(env, stowage::blockHashVariants().front().name);
    } catch (const std::invalid_argument& wrong) {
        throw Napi::Error::New(env, wrong.what());
    }
    return exports;
}

} // namespace

// NOLINTNEXTLINE: the macro's own code
NODE_API_MODULE(stowage, initialize)
