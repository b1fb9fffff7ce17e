#define STOWAGE_HASH_KERNEL stowageHashBlocksAvx512
#include "core/hashing/blockHashKernel.h"
