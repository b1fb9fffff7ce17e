import type { CheckDocument, CheckedVolume, DamagedFile, VolumeDue } from '../../contract/dto/check'
import { DUE_TABLE } from '../../contract/tables/catalogTables'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { damagedFoldersLine } from '../../domain/sets/damagedFolders'
import { RECHECK_MONTHS } from '../../domain/sets/volumeEvent'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { systemClock } from '../../primitives/clock'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDay, formatDuration } from '../../primitives/spokenTime'
import type { ValuesOf } from '../arguments'
import type { VERIFY } from '../declarations/sets'
import { withPassword } from '../passwords'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { printSkipped } from '../shape/runFailures'
import { formatSize } from '../shape/sizes'
import { ownTableLines, tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { copyNumber } from './copyArguments'

/** Where not all is asked for; with two lines for a file that has bad sectors. */
const SHOWN_VOLUMES = 8
const SHOWN_FILES = 5
const SHOWN_RANGES = 3
const SHOWN_DUE = 15
const DAY_MS = 86_400_000

/**
 * `stowage verify <image | disc | folder>…`: volumes by their own index, without the folders of
 * their plans.
 */
export async function checkCommand(
  values: ValuesOf<typeof VERIFY>,
  positionals: readonly string[],
  out: Terminal,
): Promise<number> {
  if (positionals.length === 0) {
    throw new AppError('usage', 'give a plan folder, or an image, a disc or a folder to check')
  }
  if (values.volume !== undefined) {
    throw new AppError(
      'usage',
      '--volume chooses from a plan folder; of discs and images name those to check',
    )
  }
  const everyMonths = values.every === undefined ? null : monthsOf(values.every)
  const volumes = positionals.map((path) => absolutePath(path))
  const copy = copyNumber(values.copy)
  await using session = openSession(out, { canDoWithout: true })
  const show = async (checkId: string): Promise<CheckDocument> => {
    const document = await session.engine.check.get({ checkId })
    out.document(document)
    printCheck(document, values.all, out)
    return document
  }
  const done = await withPassword(values, volumes[0] ?? '', async (password) => {
    const request = { volumes, contents: values.contents, copy, everyMonths, password }
    const keep = async (checkId: string): Promise<void> => {
      await show(checkId)
    }
    return show(await session.run(() => session.engine.check.start(request), keep))
  })
  return done.volumes.some(({ skipped = [] }) => skipped.length > 0) ? EXIT.doneWithSkips : EXIT.done
}

/** `stowage verify --due`: what should be checked again. */
export async function dueCommand(
  values: ValuesOf<typeof VERIFY>,
  positionals: readonly string[],
  out: Terminal,
): Promise<number> {
  if (positionals.length > 0)
    throw new AppError('usage', `verify --due takes no paths: ${positionals.join(' ')}`)
  const days = values.within === undefined ? 0 : daysOf(values.within)
  const every = values.every === undefined ? {} : { everyMonths: monthsOf(values.every) }
  await using session = openSession(out)
  const known = await session.engine.check.due(every)
  const byWallMs = systemClock.wallMs() + days * DAY_MS
  const due = known.filter(({ checkByWallMs }) => checkByWallMs <= byWallMs)
  const volumes = values.share === undefined ? due : longestUnchecked(due, values.share, known.length)
  out.document({ schema: 'stowage.checksDue/1', byWallMs, known: known.length, volumes })
  printDue(known, volumes, { byWallMs, all: values.all, dueCount: due.length }, out)
  return EXIT.done
}

/**
 * The first of those due whose last check is longest ago, never checked ones before all: so many as
 * the share is of all volumes, rounded up.
 * @throws AppError `usage`
 */
function longestUnchecked(due: readonly VolumeDue[], share: string, all: number): VolumeDue[] {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(share)?.[1] ?? Number.NaN)
  if (!(percent > 0 && percent <= 100))
    throw new AppError('usage', `--share takes a share such as 10%, up to 100%, not "${share}"`)
  const lastMs = ({ last }: VolumeDue): number => last?.checkedWallMs ?? 0
  return due.toSorted((one, other) => lastMs(one) - lastMs(other)).slice(0, Math.ceil((all * percent) / 100))
}

/** @throws AppError `usage` */
export function monthsOf(text: string, what = '--every'): number {
  const [, number = '', unit] = /^(\d{1,4})(mo|y)$/.exec(text) ?? []
  const months = Number(number) * (unit === 'y' ? 12 : 1)
  if (unit !== undefined && months >= 1 && months <= 1200) return months
  throw new AppError('usage', `${what} takes a time such as 6mo or 2y, up to 100y, not "${text}"`)
}

/** @throws AppError `usage` */
function daysOf(text: string): number {
  const days = Number(/^(\d{1,5})d?$/.exec(text)?.[1] ?? Number.NaN)
  if (Number.isFinite(days)) return days
  throw new AppError('usage', `--within takes days such as 30d, not "${text}"`)
}

/**
 * A check as a person reads it: the conclusion, each volume, what is damaged, what was not given.
 */
function printCheck(document: CheckDocument, all: boolean, out: Terminal): void {
  const { volumes, notGiven } = document
  out.lines(wrapped(conclusionOf(document), '  '))
  out.line()
  const listed = firstRows(volumes, all ? Number.POSITIVE_INFINITY : SHOWN_VOLUMES, '--all')
  out.lines(ownTableLines(CHECK_COLUMNS, listed.shown), '  ')
  out.lines(listed.rest, '  ')
  printDamage(volumes, all, out)
  printSkipped(volumes, all ? Number.POSITIVE_INFINITY : SHOWN_FILES, out)
  if (notGiven.length > 0) {
    const names = firstRows(
      notGiven.map(({ label }) => label),
      SHOWN_VOLUMES,
      '--json',
    )
    const text = `Not given: ${names.shown.join(', ')}${names.rest.map((rest) => `, ${rest}`).join('')}.`
    out.lines(wrapped(`  ${text}`, '  '))
  }
  for (const note of notesOf(volumes)) out.notes(wrapped(`  ${note}`, '  '))
  const damaged = volumes.filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return
  const whole = damaged.find(({ verdict, kind }) => verdict === 'repairable' && kind === 'image')
  if (whole) {
    const image = `${whole.label}.iso`
    const words = ['repair', typedPath(whole.path), '--out', image]
    out.lines(nextCommand('To make a whole image, for burning it again:', words))
  }
  const paths = damaged.slice(0, 2).map(({ path }) => typedPath(path))
  const words = ['restore', ...paths, '--to', 'restored']
  out.lines(
    nextCommand(
      damaged.every(({ verdict }) => verdict === 'repairable')
        ? 'To restore from it:'
        : 'To save what can be read:',
      words,
    ),
  )
}

const CHECK_COLUMNS: readonly TableColumn<CheckedVolume, string>[] = [
  { heading: 'disc', kind: 'ordinal', of: ({ index }) => index },
  { heading: 'label', kind: 'label', of: ({ label }) => label },
  { heading: 'state', kind: 'code', of: ({ verdict, state }) => verdict ?? state },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'bytes', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'read', kind: 'words', of: ({ reading }) => reading?.way ?? '' },
  { heading: 'time', kind: 'duration', of: ({ elapsedMs }) => elapsedMs },
  { heading: 'check again by', kind: 'day', of: ({ checkByWallMs }) => checkByWallMs },
]

function conclusionOf({ volumes, outcome, elapsedMs }: CheckDocument): string {
  const read = volumes.filter(({ state }) => state === 'good' || state === 'damaged')
  const files = read.reduce((sum, volume) => sum + volume.files, 0)
  const bytes = read.reduce((sum, volume) => sum + volume.bytes, 0)
  const contents = read.reduce((sum, volume) => sum + volume.contents, 0)
  const inside = contents === 0 ? '' : ` and ${formatCounted(contents, 'file')} in archives`
  const what = `${formatCounted(files, 'file')}${inside} on ${formatCounted(read.length, 'volume')}, ${formatSize(bytes)}`
  const took = `in ${formatDuration(elapsedMs)}`
  const damaged = read.reduce((sum, volume) => sum + volume.damaged.length, 0)
  if (outcome === 'cancelled') return `Stopped after ${what}.`
  if (damaged > 0)
    return `${formatCounted(damaged, 'file')} ${damaged === 1 ? 'is' : 'are'} damaged, of ${what}, read ${took}. ${repairText(read)}`
  const folders = read.filter(({ damagedFolders }) => damagedFolders).length
  const yet = folders === 0 ? '' : `, but the folders of ${formatCounted(folders, 'volume')} are damaged`
  return read.length === 0
    ? 'No volume could be read.'
    : `All ${what}, are good: read back and compared by SHA-256 ${took}${yet}.`
}

/** How much of the damage comes back by recovery data. */
function repairText(volumes: readonly CheckedVolume[]): string {
  const files = volumes.flatMap(({ damaged }) => damaged)
  const lost = files.filter(({ verdict }) => verdict !== 'repairable').length
  if (files.every(({ protects, verdict }) => protects && verdict === 'repairable'))
    return 'Every file is right: only what protects them is damaged, and can be made again.'
  if (lost === 0) return 'Recovery data on the volume gives all of it back.'
  if (volumes.every(({ recovery }) => recovery === undefined)) return 'There is no recovery data for it.'
  const rest = files.length - lost
  const back = `Recovery data gives ${rest === 0 ? 'none of them' : formatCount(rest)} back`
  return `${back}; ${formatCounted(lost, 'file')} ${lost === 1 ? 'is' : 'are'} lost on this copy.`
}

function printDamage(volumes: readonly CheckedVolume[], all: boolean, out: Terminal): void {
  const files = volumes.flatMap(({ label, damaged }) => damaged.map((file) => ({ label, file })))
  const { shown, rest } = firstRows(files, all ? Number.POSITIVE_INFINITY : SHOWN_FILES, '--all')
  if (files.length > 0) out.line()
  for (const { label, file } of shown) {
    const verdict = file.verdict === undefined ? '' : ` (${file.verdict})`
    out.lines(wrapped(`  ${label}: ${pathForDisplay(file.path)}: ${file.because}${verdict}`, '    '))
    const where = rangesOf(file, all)
    if (where !== '') out.lines(wrapped(`    ${where}`, '    '))
  }
  out.lines(rest, '  ')
  for (const { damagedFolders } of volumes)
    if (damagedFolders) out.notes(wrapped(`  ${pathForDisplay(damagedFoldersLine(damagedFolders))}.`, '  '))
  for (const { label, error } of volumes)
    if (error) out.note(`  ${label}: ${pathForDisplay(error.message)} [${error.code}]`)
}

/** `bytes 4,096 to 8,191 of it; sectors 312 to 313`. */
function rangesOf({ unreadable, sectors }: DamagedFile, all: boolean): string {
  const most = all ? Number.POSITIVE_INFINITY : SHOWN_RANGES
  const listed = (name: string, ranges: readonly (readonly [first: number, count: number])[]): string => {
    const [only] = ranges
    if (only && ranges.length === 1 && only[1] === 1) return `${name.slice(0, -1)} ${formatCount(only[0])}`
    const texts = ranges.slice(0, most).map(([first, count]) => {
      const last = first + count - 1
      return first === last ? formatCount(first) : `${formatCount(first)} to ${formatCount(last)}`
    })
    const more = ranges.length > most ? ` and ${formatCount(ranges.length - most)} more` : ''
    return `${name} ${texts.join(', ')}${more}`
  }
  if (unreadable.length === 0) return ''
  const bytes = listed(
    'bytes',
    unreadable.map(({ offset, bytes: length }) => [offset, length] as const),
  )
  if (!sectors) return `${bytes} of the file`
  return `${bytes} of the file; ${listed(
    'sectors',
    sectors.map(({ first, count }) => [first, count] as const),
  )} of the volume`
}

/** The files that were not obtained or not checked, each once. */
function notesOf(volumes: readonly CheckedVolume[]): Set<string> {
  const notes = new Set<string>()
  for (const { label, reading, notes: own } of volumes) {
    if (reading && reading.way !== 'uncached') notes.add(`${label}: ${reading.because}`)
    for (const note of own) notes.add(`${label}: ${note}`)
  }
  return notes
}

function printDue(
  known: readonly VolumeDue[],
  due: readonly VolumeDue[],
  {
    byWallMs,
    all,
    dueCount,
  }: { readonly byWallMs: number; readonly all: boolean; readonly dueCount: number },
  out: Terminal,
): void {
  const next = known.find(({ checkByWallMs }) => checkByWallMs > byWallMs)
  const later = next && `The next one is ${next.label}, by ${formatDay(next.checkByWallMs)}.`
  if (known.length === 0) out.line('No volume was built or checked yet.')
  else if (due.length === 0)
    for (const line of wrapped(
      `None of ${formatCounted(known.length, 'volume')} is due by ${formatDay(byWallMs)}. ${later ?? ''}`.trim(),
      '  ',
    ))
      out.line(line)
  else {
    const first = due.length < dueCount ? ` Begin with ${formatCount(due.length)}, checked longest ago:` : ''
    out.line(
      `${formatCount(dueCount)} of ${formatCounted(known.length, 'volume')} should be checked by ${formatDay(byWallMs)}.${first}`,
    )
    out.line()
    const { shown, rest } = firstRows(due, all ? Number.POSITIVE_INFINITY : SHOWN_DUE, '--all')
    out.lines(tableLines(DUE_TABLE, DUE_COLUMNS, shown), '  ')
    out.lines(rest, '  ')
    if (later) out.line(`  ${later}`)
    out.line()
    const choice = `The interval is your choice (${RECHECK_MONTHS} months unless --every sets another): nobody knows how long a disc will last.`
    out.lines(wrapped(choice, ''))
    out.lines(nextCommand('Next, for each disc:', ['verify', '/dev/sr0']))
  }
}

export const DUE_COLUMNS = ['label', 'disc', 'copy', 'plan_or_set', 'last_check', 'check_by'] as const
