import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanDocument } from '../../contract/dto/plan'
import type { RunDocument } from '../../contract/dto/run'
import { leftVolumes, nextStepAfter } from '../../contract/jobEnds'
import type { DeclaredTable } from '../../contract/tables/declaredTable'
import { runTable } from '../../contract/tables/planTables'
import { buildSpace } from '../../domain/sets/buildSpace'
import { canSkipChanged } from '../../domain/sets/ownImages'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { wipe } from '../../primitives/secretBytes'
import { formatDuration, formatForecast, formatSpan } from '../../primitives/spokenTime'
import { placeNamed, placesNamed } from '../archives'
import { onlyPositional, readArguments, volumeNumbers } from '../arguments'
import { BUILD, VERIFY } from '../declarations/sets'
import { changedPolicy } from '../declarations/skipChanged'
import { passwordsOf } from '../passwords'
import { askPerson } from '../questions'
import { openSession, type Session } from '../session'
import { nextCommand, shellWord, typedPath } from '../shape/nextCommand'
import {
  afterFailure,
  hasSkips,
  neededRows,
  printFailures,
  printSkipped,
  SHOWN_ERRORS,
} from '../shape/runFailures'
import { formatSize } from '../shape/sizes'
import { tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { checkCommand, dueCommand } from './check'

const BURN_SCRIPT = 'burn-xorriso.sh'

export function buildCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, BUILD)
  return runCommand('build', values, positionals, out)
}

export async function verifyCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, VERIFY)
  if (values.due) return dueCommand(values, positionals, out)
  const places = await placesNamed(positionals, out)
  const [first] = places
  const isPlan = places.length === 1 && first !== undefined && existsSync(join(first, 'plan.json'))
  if (!isPlan) return checkCommand(values, places, out)
  if (values.copy !== undefined)
    throw new AppError('usage', '--copy is of discs, images and folders; a plan folder has the built ones')
  return runCommand('verify', { ...values, stream: false, 'skip-changed': false }, places, out)
}

async function runCommand(
  kind: 'build' | 'verify',
  values: ReturnType<typeof readArguments<typeof BUILD.options>>['values'],
  positionals: readonly string[],
  out: Terminal,
): Promise<number> {
  const directory = await placeNamed(onlyPositional(positionals, 'plan folder'), out)
  const volumes = volumeNumbers(values.volume)
  await using session = openSession(out)
  let password: Uint8Array | null = null
  try {
    const plan = await session.engine.plan.open({ directory })
    const { packing } = plan
    const passwords = passwordsOf(values)
    // The script that makes a disk image on a Mac asks for the password itself.
    const isAsked = packing !== undefined && packing.encryption !== 'none' && !packing.image
    if (isAsked || passwords.isGiven)
      password = await passwords[kind === 'build' ? 'fresh' : 'current'](directory)
    if (kind === 'build' && packing) out.notes(wrapped(spaceNote(plan, values.stream), ''))
    const canAsk = process.stdin.isTTY && process.stderr.isTTY
    const changed = changedPolicy(values, canAsk)
    const { force, stream } = values
    const request = { directory, volumes, force, stream, changed, password }
    const how = {
      isStreamed: stream,
      skipsChanged: values['skip-changed'],
      canSkip: kind === 'build' && canSkipChanged(plan),
    }
    const show = async (runId: string): Promise<RunDocument> => {
      const document = await session.engine.run.get({ runId })
      out.document(document)
      printRun(document, volumes, how, out)
      return document
    }
    const keep = async (runId: string): Promise<void> => {
      await show(runId)
    }
    const answer: Parameters<Session['run']>[2] = (what, signal) => askPerson(what, signal, out)
    const done = await show(await session.run(() => session.engine.run[kind](request), keep, answer))
    return hasSkips([done]) ? EXIT.doneWithSkips : EXIT.done
  } finally {
    wipe(password)
  }
}

/** How much space building takes at most, before it begins. */
function spaceNote(plan: PlanDocument, stream: boolean): string {
  const { volumes, work } = buildSpace(plan, stream)
  const streamed = buildSpace(plan, true).work
  const less = !stream && streamed < work ? `, with --stream ${formatSize(streamed)}` : ''
  return `needs up to ${formatSize(volumes)} for the volumes and, while it builds, ${formatSize(work)} for archives${less}`
}

interface RunHow {
  readonly isStreamed: boolean
  readonly skipsChanged: boolean
  /** True where its volumes can be built without a file. */
  readonly canSkip: boolean
}

/** A run as a person reads it: what was done, then forecast and actual side by side. */
function printRun(document: RunDocument, asked: readonly number[], how: RunHow, out: Terminal): void {
  const { isStreamed, skipsChanged, canSkip } = how
  const { volumes, kind, directory } = document
  if (document.outcome === 'done') {
    const done = `${pathForDisplay(directory)} in ${formatDuration(document.elapsedMs)}`
    const text = kind === 'build' ? `Built ${done}` : `Verified ${done}: ${verifiedWords(document)}`
    out.lines(wrapped(text, '  '))
    out.lines(timeLines(document))
    out.line()
  }
  const { shown, rest } = neededRows(volumes)
  const keys = [
    'disc',
    'label',
    'state',
    'files',
    'bytes',
    'forecast_sectors',
    'actual_sectors',
    'time',
  ] as const
  out.lines(tableLines(runTableHere(directory), keys, shown), '  ')
  out.lines(rest, '  ')
  printFailures(volumes, out)
  printSkipped(volumes, SHOWN_ERRORS, out)
  for (const note of document.notes ?? []) out.notes(wrapped(`  ${note}`, '  '))
  // A streamed archive that is too large stays too large: only packing all again moves its files.
  const isTooLarge =
    isStreamed && volumes.some(({ errors }) => errors.some(({ code }) => code === 'cannot-fit'))
  const flags = [...(isStreamed ? ['--stream'] : []), ...(skipsChanged ? ['--skip-changed'] : [])]
  // A build keeps what is done by itself; a verification reads all that it is given.
  const isStopped = kind === 'verify' && nextStepAfter(kind, document.outcome) === 'continue'
  const again = [
    kind,
    typedPath(directory),
    ...(isTooLarge ? ['--force'] : [...volumeWords(isStopped ? leftOf(document) : asked), ...flags]),
  ]
  const next =
    document.outcome === 'done' ? nextLines(document, asked) : afterFailure(document, again, canSkip)
  if (next.length > 0) out.lines(['', ...next])
}

/** The table of a run's volumes, with the state and the time of each. */
function runTableHere(directory: string) {
  return {
    ...runTable(existsSync(join(directory, 'folders'))),
    state: {
      heading: 'state',
      kind: 'code',
      of: ({ state, verdict }) => (state === 'failed' ? (verdict ?? state) : state),
    },
    time: { heading: 'time', kind: 'duration', of: ({ elapsedMs }) => elapsedMs },
  } satisfies DeclaredTable<RunDocument['volumes'][number], string>
}

function verifiedWords(document: RunDocument): string {
  const by = document.readers === undefined ? '' : ` by ${document.readers.join(' and ')}`
  return hasSkips([document])
    ? `every file that is there was read back${by} and matches the plan; files were left out while building`
    : `every file was read back${by} and matches the plan`
}

/**
 * `Time to build: forecast about 10 s (<10 s to 20 s), took 14 s.` for each step that
 * the plan has a time for.
 */
function timeLines({ times = [] }: RunDocument): string[] {
  return times.flatMap(({ step, forecast, actualSeconds }) => {
    const took = formatDuration(actualSeconds * 1000)
    const [value, range] = [formatForecast(forecast.value), formatSpan(forecast)]
    const expected = value === range ? value : `${value} (${range})`
    return wrapped(`Time to ${step}: forecast ${expected}, took ${took}.`, '  ')
  })
}

function leftOf({ volumes }: RunDocument): readonly number[] {
  return leftVolumes(volumes).map(({ index }) => index)
}

function volumeWords(asked: readonly number[]): string[] {
  return asked.flatMap((volume) => ['--volume', String(volume)])
}

/** After building, verifying; then burning, where the plan is of discs, and restoring. */
function nextLines({ kind, directory }: RunDocument, asked: readonly number[]): string[] {
  const plan = typedPath(directory)
  if (kind === 'build') {
    return nextCommand('Next:', ['verify', plan, ...volumeWords(asked)])
  }
  const back = nextCommand('To get the files back:', ['restore', plan, '--to', 'restored'])
  const places = ['', 'packed'].map((part) => join(directory, part))
  const place = places.find((each) => existsSync(join(each, BURN_SCRIPT)))
  if (place === undefined) return back
  if (process.platform === 'win32') {
    const script = typedPath(join(place, 'burn-windows.cmd'))
    return [`To burn a disc: ${shellWord(script)} D: 1`, ...back]
  }
  return [...nextCommand('To burn the discs:', ['write', plan, '--drive', '/dev/sr0']), ...back]
}
