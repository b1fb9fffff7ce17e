import { rm, stat } from 'node:fs/promises'
import { isDeviceName } from '../../../../domain/sets/naming/targetNames'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { fsPath, joinPath, textBytes } from '../../../files/fileSystem'
import { writeNewFile } from '../../../files/write'
import type { FoundTool } from '../../../tools/externalTool'
import { findProgram } from '../../../tools/findProgram'
import { withPasswordLine } from '../../../tools/passwordLine'
import { runTool, type ToolResult, type ToolRun, toolFailure } from '../../../tools/runTool'
import { requireOpens, shownShare } from '../../../tools/sevenZip'
import type { ToolMeter } from '../../../tools/toolMeter'
import { KILL_AFTER_MS } from '../killAfter'

/**
 * The options that make a second archive equal to the first byte for byte: no times, no attributes,
 * one thread (seen with 7-Zip 26; the result depends on its version, which is therefore recorded).
 * Names stay, and 7-Zip sorts them by itself.
 */
const REPEATABLE: readonly string[] = '-mtm- -mtc- -mta- -mtr- -mmt=1'.split(' ')

/** Names that 7-Zip's list files cannot hold: lines are trimmed, and all must be UTF-8. */
const UNLISTABLE = /[\p{Cc}\ud800-\udfff]/u
/** The bytes that the kernel takes for all arguments, less room for the environment. */
const MOST_ARGUMENT_BYTES = 1_500_000

export interface SevenZipWork {
  readonly tool: FoundTool
  /** Where the names begin; one that a child process can be given. */
  readonly folder: string
  /** True for a folder of links, through which the names lead. */
  readonly ofLinks?: boolean
  /** Made for lists, below the build's own scratch. */
  readonly scratch: string
  readonly meter: ToolMeter
  readonly signal: AbortSignal
  /** Encrypts contents and names with AES-256. */
  readonly password?: Uint8Array | null
  /** True when the archive is there, and gets more files. */
  readonly addsTo?: boolean
  /** The part of the work that is done, 0 to 1. */
  onShare?(share: number): void
}

/**
 * 7-Zip asks for the password, which without a terminal it reads from standard input. The last
 * switch of a kind counts.
 */
const ENCRYPT: readonly string[] = ['-mhe=on', '-p', '-sccUTF-8']

/**
 * Packs files into an archive, a new one unless `addsTo` is set.
 * @param switches of method and order
 * @param names relative to `folder`; of folders only empty ones, for 7-Zip takes all that is in
 *   them
 * @throws AppError `cancelled`, `no-space`, `name-unsupported`, `tool-failed`
 */
export async function packNames(
  work: SevenZipWork,
  archive: string,
  switches: readonly string[],
  names: readonly string[],
): Promise<void> {
  const devices = process.platform === 'win32' ? names.filter(isDeviceName) : []
  if (devices[0] !== undefined) {
    const shown = pathForDisplay(devices[0])
    const message = said`cannot pack ${shown}: 7-Zip reads a device of Windows instead; choose an option without 7z`
    throw new AppError('name-unsupported', message, { path: devices[0] })
  }
  const list = joinPath(work.scratch, 'names.list')
  const unlistable = names.filter((name) => UNLISTABLE.test(name))
  const listed = names.filter((name) => !UNLISTABLE.test(name))
  await rm(fsPath(list), { force: true })
  await writeNewFile(list, listLines(listed), { flush: false })
  // -snl: names with a star make 7-Zip look through their folders, where links that lead nowhere would trouble it. But with it no
  // name may lead through a link.
  const links = work.ofLinks ? [] : ['-snl']
  const fixed = ['-spd', ...links, '-scsUTF-8', '-bso0', '-bsp1', `-i@${list}`]
  const { password = null } = work
  const args = ['a', '-t7z', ...switches, ...REPEATABLE, ...encrypting(password), ...fixed, archive, '--']
  if (unlistable.length === 0) {
    await run(work, work.tool.path, args, {})
    return requireEncrypted(work, archive)
  }
  // Node gives children only Unicode, xargs gives any bytes.
  const xargs = await findProgram('xargs')
  const bytes = Buffer.concat(unlistable.map((name) => Buffer.concat([textBytes(name), Buffer.of(0)])))
  if (xargs === null || bytes.length > MOST_ARGUMENT_BYTES) {
    const message = said`cannot give 7-Zip ${unlistable.length} names with line ends, control characters or bytes that are not UTF-8`
    throw new AppError('name-unsupported', message)
  }
  const one = ['-0', '-x', '-s', String(MOST_ARGUMENT_BYTES + 100_000)]
  if (password === null) return run(work, xargs, [...one, work.tool.path, ...args], { input: bytes })
  // Standard input is the password's: xargs of GNU leaves it alone when the names are in a file.
  const others = joinPath(work.scratch, 'names.others')
  await rm(fsPath(others), { force: true })
  await writeNewFile(others, [bytes], { flush: false })
  await run(work, xargs, [...one, '-a', others, work.tool.path, ...args], {})
  await requireEncrypted(work, archive)
}

function encrypting(password: Uint8Array | null): readonly string[] {
  return password === null ? [] : ENCRYPT
}

/**
 * An archive that is to be encrypted opens with its password and not without: else 7-Zip took
 * another one, or none.
 */
async function requireEncrypted(work: SevenZipWork, archive: string): Promise<void> {
  const { tool, signal, password = null } = work
  if (password === null) return
  const made = { tool, archive, shown: 'the archive', signal }
  await requireOpens(made, password)
  const unlocked = await runTool(tool.path, ['l', '-ba', '-bso0', '--', archive], { signal })
  // Without a file in it there is nothing to hide, and nothing is encrypted.
  const isEmpty = (await stat(fsPath(archive))).size === EMPTY_BYTES
  if (unlocked.exitCode === 0 && !isEmpty)
    throw new AppError('tool-failed', said`cannot encrypt the archive: 7-Zip ${tool.version} left it open`)
}

/** The signature and header of an archive with nothing in it. */
const EMPTY_BYTES = 32

/**
 * Packs a stream as the only file of a new archive. Not with a password, which takes the way that
 * the stream takes.
 */
export async function packStream(
  work: SevenZipWork,
  archive: string,
  switches: readonly string[],
  name: string,
  input: AsyncIterable<Uint8Array>,
): Promise<void> {
  const args = ['a', '-t7z', ...switches, ...REPEATABLE, `-si${name}`, '-bso0', '-bsp0', archive]
  await run(work, work.tool.path, args, { input })
}

/** In quotes, of which 7-Zip takes one pair away, so that blanks at the ends stay. */
function* listLines(names: readonly string[]): Generator<string> {
  for (const name of names) yield `"${name}"\n`
}

async function run(
  work: SevenZipWork,
  program: string,
  args: readonly string[],
  more: Pick<ToolRun, 'input'>,
): Promise<void> {
  const { password = null } = work
  // To open what is there 7-Zip asks once more.
  const ran = (input: ToolRun['input']): Promise<ToolResult> =>
    runTool(program, args, {
      ...(input === undefined ? {} : { input }),
      cwd: work.folder,
      signal: work.signal,
      killAfterMs: KILL_AFTER_MS,
      onStart: (pid) => work.meter.watch(pid),
      onOutput: (chunk) => {
        const share = shownShare(chunk)
        if (share !== null) work.onShare?.(share)
      },
    })
  const result =
    password === null ? await ran(more.input) : await withPasswordLine(password, ran, work.addsTo ? 2 : 1)
  if (result.exitCode !== 0) throw failureOf(result)
}

function failureOf(result: ToolResult): AppError {
  const lines = result.errorLines
  if (lines.some((line) => /errno=28|No space left on device|errno=122|Disk quota exceeded/.test(line)))
    return new AppError('no-space', said`cannot write the archive: no space left on the device`)
  const causes = lines.filter((line) => !/^(ERROR|WARNING|System ERROR)S?:?\s*$/.test(line))
  const because = causes.slice(0, 2).map(pathForDisplay).join(' ')
  return toolFailure('7-Zip', 'make the archive', { ...result, errorLines: because === '' ? [] : [because] })
}

/** The switches as a person would type them. */
export function sevenZipCommand(
  switches: readonly string[],
  what: string,
  password: Uint8Array | null = null,
): string {
  return ['7zz a -t7z', ...switches, ...REPEATABLE, ...encrypting(password), what].join(' ')
}
