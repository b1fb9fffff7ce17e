#define STOWAGE_HASH_KERNEL stowageHashBlocksAvx2
#include "core/blockHashKernel.h"
