import { isAbsolute } from 'node:path'
import type { PlanDocument } from '../../contract/dto/plan'
import type { RunDocument, WriteRequest } from '../../contract/dto/run'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { canSkipChanged } from '../../domain/sets/ownImages'
import { cannot } from '../../engine/files/fileSystem'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { wipe } from '../../primitives/secretBytes'
import { formatDuration } from '../../primitives/spokenTime'
import { placeNamed } from '../archives'
import { noPositionals, onlyPositional, readArguments, volumeNumbers } from '../arguments'
import { changedPolicy } from '../declarations/skipChanged'
import { DRIVES, WRITE } from '../declarations/write'
import { passwordsOf } from '../passwords'
import { askPerson } from '../questions'
import { openSession, type Session } from '../session'
import { nextCommand, typedPath } from '../shape/nextCommand'
import {
  afterFailure,
  hasSkips,
  neededRows,
  printFailures,
  printSkipped,
  SHOWN_ERRORS,
} from '../shape/runFailures'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { copyNumber, placeOf } from './copyArguments'
import { bufferOf } from './pipe'

export async function writeCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, WRITE)
  const directory = await placeNamed(onlyPositional(positionals, 'plan folder'), out)
  const places = placesOf(values.drive ?? [], values.to)
  const canAsk = process.stdin.isTTY && process.stderr.isTTY && !values.each
  const asked = {
    directory,
    volumes: volumeNumbers(values.volume),
    speed: values.speed === undefined ? null : speedOf(values.speed),
    onTheFly: values['on-the-fly'],
    burner: values.burner === undefined ? null : burnerOf(values.burner),
    bufferBytes: values.buffer === undefined ? null : bufferOf(values.buffer),
    verify: !values['no-verify'],
    build: true,
    again: values.again,
    copy: copyNumber(values.copy) ?? 1,
    nextFolder: null,
    nextCopy: 2,
    place: values.place === undefined ? null : placeOf(values.place),
    changed: changedPolicy(values, canAsk),
    atMost: canAsk || values.to !== undefined ? null : 1,
  }
  await using session = openSession(out)
  let password: Uint8Array | null = null
  try {
    const plan = await session.engine.plan.open({ directory })
    password = await passwordFor(plan, directory, values)
    const runs: RunDocument[] = []
    const keep = async (runId: string): Promise<void> => {
      if (runId !== '') runs.push(await session.engine.run.get({ runId }))
    }
    const answer: Parameters<Session['run']>[2] = (what, signal) => askPerson(what, signal, out)
    const ends = await Promise.allSettled(
      places.map(async (place) => {
        // A job overwrites its password when it ends.
        const own = password === null ? null : Uint8Array.from(password)
        const start = () => session.engine.run.write({ ...asked, ...place, password: own })
        const more = places.length > 1 ? { name: place.drive ?? place.file ?? '' } : {}
        await keep(await session.run(start, keep, answer, more))
      }),
    )
    const [only] = runs
    if (places.length > 1) out.document({ schema: 'stowage.runs/1', runs })
    else if (only) out.document(only)
    // Where others wrote, a drive that found nothing left has nothing to tell.
    const busy = runs.filter(({ volumes }) => volumes.some(({ state }) => !IDLE.has(state)))
    for (const [at, run] of (busy.length > 0 ? busy : runs.slice(0, 1)).entries()) {
      if (at > 0) out.line()
      printWritten(run, out)
    }
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? AppError.from(end.reason) : []))
    // The command ends with the first one.
    for (const failure of failures.slice(1)) out.note(`${failure.message}.`)
    if (failures[0]) {
      const failed = runs.find(({ outcome }) => outcome !== 'done')
      if (failed) out.lines(['', ...afterFailure(failed, ['write', ...args], canSkipChanged(plan))])
      throw failures[0]
    }
    if (!only) throw nothingLeft(directory)
    // A packed plan may have come out with fewer volumes than were forecast.
    const listed = (await session.engine.plan.list()).find(({ id }) => id === plan.id)
    const volumes = plan.volumes.slice(0, plan.packing && listed ? listed.volumes : undefined)
    const left = leftOf(volumes, runs, values.volume)
    printNext(left, runs, args, out)
    if (left === null || values.each) return hasSkips(runs) ? EXIT.doneWithSkips : EXIT.done
    throw nobodyToAsk(left.label)
  } finally {
    wipe(password)
  }
}

/** The states of a volume that a run has not begun. */
const IDLE: ReadonlySet<string> = new Set(['kept', 'pending'])

type Place = Pick<WriteRequest, 'drive' | 'file' | 'folder'>

/** Nothing is written to a drive that the person did not name. */
function placesOf(drives: readonly string[], to: string | undefined): Place[] {
  if ((drives.length === 0) === (to === undefined))
    throw new AppError('usage', 'where to write is missing: give either --drive DEVICE or --to FOLDER')
  if (to !== undefined) return [{ drive: null, file: null, folder: absolutePath(to) }]
  const twice = drives.find((drive, at) => drives.indexOf(drive) !== at)
  if (twice !== undefined) throw new AppError('usage', `--drive ${twice} is given twice`)
  return drives.map((drive) => driveOf(drive))
}

function driveOf(named: string): Place {
  if (named.startsWith('stdio:')) {
    const file = named.slice('stdio:'.length)
    if (!isAbsolute(file))
      throw new AppError('usage', `--drive ${named}: the path of a file must be absolute`)
    return { drive: null, file, folder: null }
  }
  if (!/^(?:\/dev\/.+|[A-Z]:)$/.test(named))
    throw new AppError('usage', `--drive takes a device such as /dev/sr0, not "${named}"`)
  return { drive: named, file: null, folder: null }
}

function speedOf(text: string): number {
  const speed = Number(text.replace(/x$/i, ''))
  if (speed > 0 && speed <= 100) return speed
  throw new AppError('usage', `--speed takes a multiple of the disc's 1x from 0.1 to 100, not "${text}"`)
}

function burnerOf(text: string): NonNullable<WriteRequest['burner']> {
  if (text === 'xorriso' || text === 'cdrskin' || text === 'growisofs') return text
  throw new AppError('usage', `--burner takes xorriso, cdrskin or growisofs, not "${text}"`)
}

/** Only volumes that are still to be built need it, so it is asked for only when it is given. */
async function passwordFor(
  plan: PlanDocument,
  directory: string,
  values: Parameters<typeof passwordsOf>[0],
): Promise<Uint8Array | null> {
  const passwords = passwordsOf(values)
  if (!passwords.isGiven) return null
  if (plan.packing === undefined || plan.packing.encryption === 'none')
    throw new AppError('usage', `${pathForDisplay(directory)} is not encrypted: no password is needed`)
  return passwords.current(directory)
}

/** The first volume that is still to be written of what was asked for. */
function leftOf(
  planned: PlanDocument['volumes'],
  runs: readonly RunDocument[],
  asked: readonly string[] | undefined,
): PlanDocument['volumes'][number] | null {
  const wanted = new Set(volumeNumbers(asked))
  const known = new Set(runs.flatMap(({ volumes }) => volumes.map(({ index }) => index)))
  const isLeft = (index: number): boolean => !known.has(index) && (wanted.size === 0 || wanted.has(index))
  return planned.find(({ index }) => isLeft(index)) ?? null
}

/** Discs are changed by a person: where none is there to ask, the set is not complete. */
function nobodyToAsk(label: string): AppError {
  return new AppError('refused', `${label} is still to be written: there is no terminal to ask for its disc`)
}

function nothingLeft(directory: string): AppError {
  return cannot('refused', 'write', directory, 'another run is writing every volume that is left')
}

/** A run as a person reads it: what is written, and how fast. */
function printWritten(document: RunDocument, out: Terminal): void {
  const { volumes } = document
  const done = volumes.filter(({ state }) => state === 'done')
  const kept = volumes.filter(({ state }) => state === 'kept')
  if (document.outcome === 'done') {
    out.lines(wrapped(conclusion(document, done.length, kept.length), '  '))
    out.line()
  }
  const { shown, rest } = neededRows(volumes)
  out.lines(ownTableLines(WRITTEN_COLUMNS, shown), '  ')
  out.lines(rest, '  ')
  printFailures(volumes, out)
  printSkipped(volumes, SHOWN_ERRORS, out)
  for (const note of document.notes ?? []) out.notes(wrapped(`  ${note}`, '  '))
}

const WRITTEN_COLUMNS: readonly TableColumn<RunDocument['volumes'][number], string>[] = [
  { heading: 'disc', kind: 'ordinal', of: ({ index }) => index },
  { heading: 'label', kind: 'label', of: ({ label }) => label },
  {
    heading: 'state',
    kind: 'words',
    of: ({ state }) => (state === 'kept' ? 'was written' : state === 'done' ? 'written' : state),
  },
  { heading: 'bytes', kind: 'bytes', of: ({ written }) => written?.bytes ?? null },
  { heading: 'write', kind: 'duration', of: ({ written }) => written?.writeMs ?? null },
  {
    heading: 'rate',
    kind: 'rate',
    of: ({ written }) => (written && written.writeMs > 0 ? (written.bytes * 1000) / written.writeMs : null),
  },
  { heading: 'read back', kind: 'duration', of: ({ written }) => written?.verifyMs ?? null },
  {
    heading: 'least buffer',
    kind: 'share',
    of: ({ written }) => (written?.pipe ? written.pipe.leastFilledBytes / written.pipe.bufferBytes : null),
  },
  { heading: 'stalls', kind: 'count', of: ({ written }) => written?.pipe?.outputStalls ?? null },
]

/** Prints the next command, once every drive has done its part. */
function printNext(
  left: PlanDocument['volumes'][number] | null,
  runs: readonly RunDocument[],
  args: readonly string[],
  out: Terminal,
): void {
  out.line()
  if (left) {
    out.line(`Insert a blank disc for ${left.label}, then continue.`)
    out.lines(nextCommand('Next:', ['write', ...args]))
    return
  }
  const restored = ['restore', typedPath(runs[0]?.directory ?? ''), '--to', 'restored']
  out.lines(nextCommand('To get the files back:', restored))
}

function conclusion(
  { directory, target, elapsedMs, volumes }: RunDocument,
  done: number,
  kept: number,
): string {
  const place = target ? pathForDisplay(target.path) : ''
  if (done === 0) {
    const before = target?.kind === 'folder' ? 'written before, and read back now' : 'written before'
    return `Nothing to write: ${formatCounted(kept, 'volume')} of ${pathForDisplay(directory)} ${before}; --copy N writes a further copy, --again this one anew`
  }
  const isChecked = volumes.every(({ written }) => written === undefined || written.verified)
  const check = isChecked ? 'every file was read back and matches the plan' : 'not read back (--no-verify)'
  const before = kept === 0 ? '' : `, ${formatCount(kept)} written before`
  return `Wrote ${formatCounted(done, 'volume')} of ${pathForDisplay(directory)} to ${place} in ${formatDuration(elapsedMs)}; ${check}${before}`
}

export async function drivesCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, DRIVES)
  noPositionals(positionals, 'drives')
  await using session = openSession(out)
  const drives = await session.engine.run.drives()
  out.document({ schema: 'stowage.drives/1', drives })
  printDrives(drives, out)
  return EXIT.done
}

type Drives = Awaited<ReturnType<Session['engine']['run']['drives']>>

const DRIVE_COLUMNS: readonly TableColumn<Drives[number], string>[] = [
  { heading: 'device', kind: 'words', of: ({ device }) => device },
  {
    heading: 'drive',
    kind: 'words',
    of: ({ vendor, model }) => [vendor, model].filter((text) => text !== null).join(' '),
  },
  { heading: 'disc', kind: 'words', of: ({ problem, medium }) => problem ?? medium?.name ?? 'no disc' },
  {
    heading: 'state',
    kind: 'words',
    of: ({ medium }) => (medium === null ? '' : medium.blank ? 'blank' : 'not blank'),
  },
  {
    heading: 'room',
    kind: 'bytes',
    of: ({ medium }) => (medium?.capacitySectors == null ? null : medium.capacitySectors * 2048),
  },
  {
    heading: 'speeds',
    kind: 'words',
    of: ({ medium }) => medium?.speeds.map((speed) => `${speed}x`).join(' ') ?? '',
  },
]

function printDrives(drives: Drives, out: Terminal): void {
  if (drives.length === 0) {
    out.line('No optical drive was found.')
    out.line()
    for (const line of nextCommand('To write to a folder or mounted disk:', [
      'write',
      'PLAN',
      '--to',
      'FOLDER',
    ]))
      out.line(line)
    return
  }
  const blank = drives.find(({ medium }) => medium?.blank === true)
  const blanks = drives.filter(({ medium }) => medium?.blank === true).length
  const found = formatCounted(drives.length, 'drive')
  out.line(process.platform === 'win32' ? `${found}.` : `${found}, ${formatCount(blanks)} with a blank disc.`)
  out.line()
  out.lines(ownTableLines(DRIVE_COLUMNS, drives), '  ')
  if (process.platform === 'win32') {
    out.line()
    out.line('Stowage burns no discs on Windows. To burn the image of volume 1 of a plan:')
    out.line(`  PLAN\\burn-windows.cmd ${drives[0]?.device} 1`)
    return
  }
  if (!blank) return
  out.line()
  out.lines(nextCommand('Next:', ['write', 'PLAN', '--drive', blank.device]))
}
