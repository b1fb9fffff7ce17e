import { type Stats, symlinkSync } from 'node:fs'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attemptAtOnce, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import { withToolDirectory } from '../../files/scratch'
import { inSlices } from '../../files/sourceCheck'
import { findProgram } from '../../tools/findProgram'
import { runTool, toolFailure } from '../../tools/runTool'
import type { ToolMeter } from '../../tools/toolMeter'
import { hasContainerTime } from './containerTime'
import { KILL_AFTER_MS } from './killAfter'
import type { BuildFile } from './optionBuilder'

/**
 * Names that gzip leaves alone, since it takes them for compressed already (gzip.c,
 * known_suffixes).
 */
const KNOWN_SUFFIX = /(\.gz|[.\-_]z|\.tgz|\.taz|-gz|\.svgz)$/i
/**
 * Each gzip that runs at once is given files so many times, so that all have something to do till
 * the end, but no more of them at a time.
 */
const TURNS = 8
const MOST_AT_A_TIME = 64

interface GzipRun {
  readonly program: string
  readonly level: number
  readonly atOnce: number
  readonly meter: ToolMeter
  readonly signal: AbortSignal
}

/** gzip takes no longer names (gzip.c, MAX_PATH_LEN, less the ending), though the system does. */
const LONGEST_PATH = 1000

/** gzip ignores programs that run as their owner or group (gzip.c, treat_file). */
const RUNS_AS_OTHER = 0o6000

/**
 * True when gzip itself can compress a file of this name, mode and time: it fails on times that it
 * cannot store.
 */
export function gzipTakes(path: string, { mode, mtimeMs }: Pick<Stats, 'mode' | 'mtimeMs'>): boolean {
  const isUsual = (mode & RUNS_AS_OTHER) === 0 && hasContainerTime(mtimeMs)
  return isUsual && !KNOWN_SUFFIX.test(path) && textBytes(path).length <= LONGEST_PATH
}

/**
 * Compresses files with the gzip of this machine, a few gzips at once. It is given links to the
 * sources in the places where the results will, follows them (-f), writes the result next to each
 * and removes the link.
 * @param to an absolute folder that has the folders of all paths
 * @throws AppError `no-space`, `tool-failed`, `cancelled`
 */
export async function gzipFiles(run: GzipRun, files: readonly BuildFile[], to: string): Promise<void> {
  if (files.length === 0) return
  await inSlices(files, run.signal, ({ source, path }) => {
    const link = joinPath(to, path)
    attemptAtOnce('write', link, () => symlinkSync(fsPath(source), fsPath(link)))
  })
  const xargs = await findProgram('xargs')
  if (xargs === null)
    throw new AppError('tool-missing', said`cannot find xargs, which is needed for running gzip`)
  const names = Buffer.concat(files.map(({ path }) => Buffer.concat([textBytes(`./${path}`), Buffer.of(0)])))
  const args = [
    '-0',
    '-n',
    String(Math.min(MOST_AT_A_TIME, Math.ceil(files.length / (TURNS * run.atOnce)))),
    '-P',
    String(run.atOnce),
    run.program,
    '-f',
    `-${run.level}`,
  ]
  const result = await withToolDirectory(to, (cwd) =>
    runTool(xargs, args, {
      cwd,
      input: names,
      signal: run.signal,
      killAfterMs: KILL_AFTER_MS,
      onStart: (pid) => run.meter.watch(pid),
    }),
  )
  if (result.exitCode === 0) return
  if (result.errorLines.some((line) => /No space left on device|Disk quota exceeded/.test(line)))
    throw new AppError('no-space', said`cannot write the compressed files: no space left on the device`)
  throw toolFailure('gzip', 'compress files', result)
}
