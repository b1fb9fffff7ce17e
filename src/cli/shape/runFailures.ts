import type { RunDocument, RunVolume } from '../../contract/dto/run'
import { nextStepAfter } from '../../contract/jobEnds'
import { skippedWords } from '../../domain/sets/skippedFile'
import { isBelow } from '../../primitives/isBelow'
import { pathForDisplay } from '../../primitives/pathText'
import type { Terminal } from '../terminal'
import { firstRows } from './firstRows'
import { nextCommand, typedPath } from './nextCommand'
import { wrapped } from './wrapped'

const SHOWN_VOLUMES = 10
export const SHOWN_ERRORS = 5

/**
 * The volumes of a run that are shown, in their order: what went wrong is never among those that
 * are only counted.
 */
export function neededRows(
  volumes: readonly RunVolume[],
  most = SHOWN_VOLUMES,
): ReturnType<typeof firstRows<RunVolume>> {
  const byNeed = volumes.toSorted((one, other) => other.errors.length - one.errors.length)
  const { shown, rest } = firstRows(byNeed, most, '--json')
  return { shown: shown.toSorted((one, other) => one.index - other.index), rest }
}

/** The failures of a run, each with its volume; a single one is what the command ends with. */
export function printFailures(volumes: readonly RunVolume[], out: Terminal): void {
  const errors = volumes.flatMap(({ label, errors: own }) =>
    own.map((error) => `  ${label}: ${pathForDisplay(error.message)} [${error.code}]`),
  )
  const { shown, rest } = firstRows(errors.length > 1 ? errors : [], SHOWN_ERRORS, '--json')
  out.notes(shown)
  out.notes(rest, '  ')
}

/** The files that were left out of volumes, each with its volume and why. */
export function printSkipped(
  volumes: readonly Pick<RunVolume, 'label' | 'skipped'>[],
  most: number,
  out: Terminal,
): void {
  const lines = volumes.flatMap(({ label, skipped = [] }) =>
    skipped.map(({ path, cause }) => `  ${label}: ${pathForDisplay(path)}: ${skippedWords(cause)}`),
  )
  const { shown, rest } = firstRows(lines, most, '--json')
  out.notes(shown)
  out.notes(rest, '  ')
}

export function hasSkips(runs: readonly RunDocument[]): boolean {
  return runs.some(({ volumes }) => volumes.some(({ skipped = [] }) => skipped.length > 0))
}

/**
 * How to go on after a run that did not do all: what it did stays done.
 * @param again the same command, as it was given
 * @param canSkip whether its volumes can be built without a file
 */
export function afterFailure(run: RunDocument, again: readonly string[], canSkip: boolean): string[] {
  const { kind, directory, outcome, volumes } = run
  const codes = new Set(volumes.flatMap(({ errors }) => errors.map(({ code }) => code)))
  const without =
    canSkip && kind !== 'verify' && !again.includes('--skip-changed')
      ? nextCommand('To build without these files:', [...again, '--skip-changed'])
      : []
  if (codes.has('changed') || codes.has('vanished'))
    return [
      ...wrapped('The source has changed since it was planned: survey and plan it again.', ''),
      ...without,
    ]
  if (codes.has('permission-denied')) {
    const refused = volumes.flatMap(({ errors }) => errors.filter(({ code }) => code === 'permission-denied'))
    // Where the target refuses, leaving files out does not help.
    const isSource = refused.every(({ path }) => path !== undefined && !isOfTarget(path, run))
    return [...nextCommand('Once that is fixed:', again), ...(isSource ? without : [])]
  }
  if (nextStepAfter(kind, outcome) === 'continue') return nextCommand('To continue:', again)
  if (kind !== 'verify') return nextCommand('Once that is fixed:', again)
  return codes.has('not-found') ? nextCommand('To build it:', ['build', typedPath(directory)]) : []
}

/** True below the folder of the plan, and below the one that was written to. */
function isOfTarget(path: string, { directory, target }: RunDocument): boolean {
  return [directory, ...(target ? [target.path] : [])].some((at) => path === at || isBelow(path, at))
}
