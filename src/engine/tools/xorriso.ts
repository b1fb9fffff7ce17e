import { AppError } from '../../primitives/appError'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import type { ExternalTool, FoundTool } from './externalTool'
import { findVersion } from './findVersion'
import { runTool, type ToolResult, toolFailure } from './runTool'

/** Masters ISO 9660 images with Rock Ridge names. */
export const xorriso: ExternalTool = {
  name: 'xorriso',
  neededFor: said`burning discs, and images by --builder xorriso`,
  howToGet:
    process.platform === 'win32'
      ? said`it does not run on Windows, where burn-windows.cmd in the plan folder burns an image`
      : said`install it with "apt install xorriso", "dnf install xorriso" or "brew install xorriso"`,
  find: (signal) => findVersion('xorriso', '-no_rc -version', /^xorriso version\s*:\s*(\S+)/m, { signal }),
}

/**
 * The options that every xorriso run of a plan begins with, before the output is named. They make a
 * run independent of start-up files, pattern characters in names and the time of day, and let the
 * first unreadable source end it.
 * @param dateWallMs the volume date; xorriso knows whole seconds
 */
export function xorrisoStartOptions(dateWallMs: number): string[] {
  const fixed =
    '-no_rc -abort_on MISHAP -return_with SORRY 32 -report_about WARNING ' +
    '-backslash_codes in_double_quotes -disk_pattern off -iso_rr_pattern off'
  return [...fixed.split(' '), '-iso_nowtime', `=${Math.floor(dateWallMs / 1000)}`]
}

/**
 * Options at the end of a run that writes: progress, and no reading back of the tree just written.
 * @param everySeconds between two lines of progress; xorriso 1.5.4 looks no sooner than that
 *   whether all is written
 */
export function xorrisoCommitOptions(everySeconds: number): string[] {
  const fixed = '-report_about UPDATE -commit_eject none'.split(' ')
  return ['-pacifier', 'xorriso', '-pacifier', `interval=${everySeconds}`, ...fixed]
}

/**
 * Its least: images of 67 MB took 0.17 s instead of 0.41 to 0.46 with half a second, and up to 1 s
 * with a second.
 */
const LOOK_SECONDS = 0.1

interface XorrisoRun {
  readonly tool: FoundTool
  /** `xorrisoStartOptions`, as the plan has them. */
  readonly startOptions: readonly string[]
  /** Where relative paths of the command list begin. */
  readonly directory: string
  /** The command list (see `exporters/xorrisoList`), relative to `directory`. */
  readonly list: string
  readonly signal?: AbortSignal
  readonly onStart?: (pid: number) => void
}

/**
 * Sectors of 2,048 bytes that the image will have, as xorriso itself foresees them; nothing is
 * written. Sources are looked at (size, kind, names) but not read.
 * @throws AppError `cancelled`, `vanished`, `tool-failed`
 */
export async function printImageSectors(run: XorrisoRun): Promise<number> {
  const args = [...run.startOptions, '-outdev', 'stdio:/dev/null', '-options_from_file', run.list]
  const result = await runXorriso(
    { ...run, args: [...args, '-print_size', '-rollback_end'] },
    'size an image',
  )
  const match = /^Image size\s*:\s*(\d+)s$/m.exec(result.output)
  if (!match) throw new AppError('tool-failed', said`cannot size an image: xorriso printed no image size`)
  return Number(match[1])
}

/**
 * Writes an image. The output must not exist or be empty.
 * @param output relative to `run.directory`
 * @param onSectors sectors written so far, up to ten times a second
 * @throws AppError `cancelled`, `no-space`, `vanished`, `tool-failed`; the unfinished output is
 *   left to the caller
 */
export async function writeImage(
  run: XorrisoRun,
  output: string,
  onSectors: (done: number) => void,
): Promise<void> {
  const args = [...run.startOptions, '-outdev', `stdio:${output}`, '-options_from_file', run.list]
  await runXorriso(
    {
      ...run,
      args: [...args, ...xorrisoCommitOptions(LOOK_SECONDS)],
      onErrorLine: (line) => {
        const done = parseWritingLine(line)
        if (done !== null) onSectors(done)
      },
    },
    `build ${output.replace(/\.partial-[0-9a-f]+$/, '')}`,
  )
}

/**
 * Writes an image to an open file, such as the end of a pipe: the same bytes as `writeImage`, with
 * none on a disk.
 * @param file its number; it stays open here
 * @throws AppError as `writeImage`
 */
export async function streamImage(run: XorrisoRun, file: number): Promise<void> {
  // Standard output may be named in the first argument only, before the options of the plan: it gets number 3.
  const args = [...run.startOptions, '-outdev', 'stdio:/dev/fd/3', '-options_from_file', run.list]
  await runXorriso(
    { ...run, files: [file], args: [...args, ...xorrisoCommitOptions(LOOK_SECONDS)] },
    'make an image',
  )
}

/** The sectors done in a pacifier line, or null for any other line. */
export function parseWritingLine(line: string): number | null {
  const match = /^xorriso : UPDATE : Writing:\s+(\d+)s\b/.exec(line)
  return match ? Number(match[1]) : null
}

async function runXorriso(
  run: XorrisoRun & { args: string[]; files?: readonly number[]; onErrorLine?: (line: string) => void },
  doing: string,
): Promise<ToolResult> {
  let firstProblem: string | null = null
  const result = await runTool(run.tool.path, run.args, {
    cwd: run.directory,
    ...(run.signal ? { signal: run.signal } : {}),
    ...(run.onStart ? { onStart: run.onStart } : {}),
    ...(run.files ? { files: run.files } : {}),
    onErrorLine: (line) => {
      if (firstProblem === null && /^\w+ ?: (SORRY|MISHAP|FAILURE|FATAL|ABORT) :/.test(line))
        firstProblem = line
      run.onErrorLine?.(line)
    },
  })
  if (result.exitCode === 0 && firstProblem === null) return result
  throw xorrisoFailure(doing, firstProblem, result)
}

/**
 * The meaning of an unsuccessful xorriso run for a person. `firstProblem` is its first line of
 * severity SORRY or worse.
 */
export function xorrisoFailure(doing: string, firstProblem: string | null, result: ToolResult): AppError {
  const all = [firstProblem ?? '', ...result.errorLines]
  const tooSmall = firstOf(all, /Image size (\d+)s exceeds free space on media (\d+)s/)
  if (tooSmall) {
    const [needed, free] = [Number(tooSmall[1]) * 2048, Number(tooSmall[2]) * 2048]
    return new AppError(
      'no-space',
      said`cannot ${doing}: ${formatSize(needed)} needed, ${formatSize(free)} free`,
    )
  }
  if (firstOf(all, /No space left on device|Disk quota exceeded/)) {
    return new AppError('no-space', said`cannot ${doing}: no space left on the device`)
  }
  const gone =
    firstOf(all, /Cannot determine attributes of (?:source file|disk file) '(.*)' : No such file/) ??
    firstOf(all, /File "(.*)" can't be opened/) ??
    firstOf(all, /File "(.*)" is not readable|Read error on file '?"?(.*?)"?'?$/)
  if (gone) {
    return new AppError(
      'vanished',
      said`cannot ${doing}: source ${gone[1] ?? gone[2]} is missing or unreadable`,
    )
  }
  if (firstProblem === null) return toolFailure('xorriso', doing, result)
  const told = firstProblem.replace(/^\w+ ?: \w+ : /, '')
  return new AppError('tool-failed', said`cannot ${doing}: xorriso: ${told} (exit code ${result.exitCode})`)
}

function firstOf(lines: readonly string[], pattern: RegExp): RegExpExecArray | null {
  for (const line of lines) {
    const match = pattern.exec(line)
    if (match) return match
  }
  return null
}
