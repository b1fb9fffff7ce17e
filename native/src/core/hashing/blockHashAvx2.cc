#define STOWAGE_HASH_KERNEL stowageHashBlocksAvx2
#include "core/hashing/blockHashKernel.h"
