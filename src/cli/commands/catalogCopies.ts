import {
  type CopiesDocument,
  type CopyNoteRequest,
  type DuePlace,
  healthCalendar,
  type LostCopies,
  lostCopies,
  type VolumeCopy,
} from '../../contract/dto/copies'
import { labelRanges, type PlanListItem } from '../../contract/dto/plan'
import { CALENDAR_TABLE } from '../../contract/tables/catalogTables'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { BUILT_COPY, placeKey } from '../../domain/sets/copies/copy'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { noPositionals, onlyPositional, readArguments } from '../arguments'
import { CATALOG_FOUND, CATALOG_LOST, CATALOG_PLACE, CATALOG_STATUS } from '../declarations/catalog'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { ownTableLines, tableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { copyOrBuilt, placeOf } from './copyArguments'

const SHOWN = 15
const SHOWN_MONTHS = 12

type Action = (args: readonly string[], out: Terminal) => Promise<number>

const ACTIONS: Readonly<Record<string, Action>> = {
  status,
  place: (args, out) => {
    const { values, positionals } = readArguments(args, CATALOG_PLACE)
    if (values.place === undefined) throw new AppError('usage', '--place TEXT is missing')
    const place = placeOf(values.place)
    const medium = values.medium === undefined ? null : placeOf(values.medium, '--medium')
    return note(positionals, { kind: 'place', copy: copyOrBuilt(values.copy), place, medium }, out)
  },
  lost: (args, out) => {
    const { values, positionals } = readArguments(args, CATALOG_LOST)
    return note(positionals, { kind: 'lost', copy: copyOrBuilt(values.copy), place: null, medium: null }, out)
  },
  found: (args, out) => {
    const { values, positionals } = readArguments(args, CATALOG_FOUND)
    return note(
      positionals,
      { kind: 'found', copy: copyOrBuilt(values.copy), place: null, medium: null },
      out,
    )
  },
}

/** The actions of `stowage catalog` that are about copies; null for another word. */
export function copiesAction(word: string | undefined): Action | null {
  return word !== undefined && Object.hasOwn(ACTIONS, word) ? (ACTIONS[word] ?? null) : null
}

async function note(
  positionals: readonly string[],
  asked: Omit<CopyNoteRequest, 'of'>,
  out: Terminal,
): Promise<number> {
  const of = onlyPositional(positionals, 'label or ID of a plan')
  await using session = openSession(out)
  const copies = await session.engine.copies.note({ of, ...asked })
  const { atWallMs } = await session.engine.copies.list()
  out.document({ schema: 'stowage.copies/1', atWallMs, copies } satisfies CopiesDocument)
  const [first] = copies
  const what = `${copyName(asked.copy)} of ${copies.length === 1 ? first?.label : formatCounted(copies.length, 'volume')}`
  const words = {
    place: `is at ${pathForDisplay(asked.place ?? '')}`,
    lost: 'is noted as lost',
    found: 'is noted as found',
  }
  out.line(`${capital(what)} ${words[asked.kind]}.`)
  return EXIT.done
}

async function status(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, CATALOG_STATUS)
  noPositionals(positionals, 'catalog status')
  await using session = openSession(out)
  const known = values.look ? await session.engine.copies.look() : await session.engine.copies.list()
  const { copies, atWallMs } = known
  const calendar = healthCalendar(await session.engine.check.due({}), copies, atWallMs)
  out.document({ ...known, calendar } satisfies CopiesDocument)
  if (copies.length === 0) {
    out.line('No copy of a volume is known: none was built, written or verified yet.')
    return EXIT.done
  }
  const good = copies.filter(({ state }) => state === 'good').length
  const lost = copies.filter(({ state }) => state === 'lost').length
  const missing = lost === 0 ? '' : `, ${formatCount(lost)} lost`
  out.line(`${countedCopies(copies.length)} of volumes, ${formatCount(good)} of them good${missing}.`)
  out.line()
  out.lines(placeLines(copies), '  ')
  out.line()
  printCopies(copies, values.all ? Number.POSITIVE_INFINITY : SHOWN, out)
  out.line()
  printLost(lostCopies(copies), await session.engine.plan.list(), out)
  printCalendar(calendar, values.all ? Number.POSITIVE_INFINITY : SHOWN_MONTHS, out)
  out.lines(nextCommand('To know if a source may be deleted:', ['safe', 'FOLDER']))
  return EXIT.done
}

/**
 * Prints which copies are missing where, with the command that makes each again: a lost copy stays
 * here until it is found, written or verified.
 */
export function printLost(
  lost: readonly LostCopies[],
  plans: readonly Pick<PlanListItem, 'id' | 'directory' | 'directoryExists'>[],
  out: Terminal,
): void {
  for (const { planId, copy, place, labels, volumes, lostWallMs, left } of lost) {
    const where = place === null ? '' : ` at ${pathForDisplay(place)}`
    const others = left === 0 ? 'no other copy is left' : `${countedCopies(left)} left`
    const what = `Lost: ${copyName(copy)} of ${labelRanges(labels)}${where}, ${formatDay(lostWallMs)}; ${others}.`
    out.lines(wrapped(what, '  '))
    const directory = plans.find(({ id, directoryExists }) => id === planId && directoryExists)?.directory
    if (directory != null) out.lines(nextCommand('To write it again:', againWords(directory, copy, volumes)))
    out.line()
  }
}

function againWords(directory: string, copy: number, volumes: readonly number[]): string[] {
  const plan = typedPath(directory)
  const of = volumes.flatMap((volume) => ['--volume', String(volume)])
  if (copy === BUILT_COPY) return ['build', plan, ...of]
  return ['write', plan, '--to', 'FOLDER', '--copy', String(copy), ...of, '--again']
}

/** When copies fall due for verification, by month and place. */
function printCalendar(calendar: readonly DuePlace[], most: number, out: Terminal): void {
  if (calendar.length === 0) return
  const { shown, rest } = firstRows(calendar, most, '--all')
  out.lines(tableLines(CALENDAR_TABLE, ['month', 'place', 'copies', 'volumes'], shown), '  ')
  out.lines(rest, '  ')
  out.line()
  const [first] = calendar
  if (first?.dueWallMs === null) out.lines(nextCommand('What is due now:', ['verify', '--due']))
}

interface Place {
  readonly place: string | null
  readonly copies: readonly VolumeCopy[]
}

const PLACE_COLUMNS: readonly TableColumn<Place, string>[] = [
  { heading: 'place', kind: 'name', of: ({ place }) => place ?? 'not noted' },
  { heading: 'copies', kind: 'count', of: ({ copies }) => copies.length },
  {
    heading: 'good',
    kind: 'count',
    of: ({ copies }) => copies.filter(({ state }) => state === 'good').length,
  },
  {
    heading: 'others',
    kind: 'words',
    of: ({ copies }) =>
      [...Map.groupBy(copies, ({ state }) => state)]
        .flatMap(([state, { length }]) => (state === 'good' ? [] : [`${formatCount(length)} ${state}`]))
        .join(', '),
  },
]

/** The copies by place, those without one last. */
export function placeLines(copies: readonly VolumeCopy[]): string[] {
  const places = Map.groupBy(copies, ({ place }) => (place === null ? null : placeKey(place)))
  const rows = [...places]
    .toSorted(([one], [other]) => (one ?? '\uffff').localeCompare(other ?? '\uffff'))
    .map(([, own]): Place => ({ place: own[0]?.place ?? null, copies: own }))
  return ownTableLines(PLACE_COLUMNS, rows)
}

export const COPY_COLUMNS: readonly TableColumn<VolumeCopy, string>[] = [
  { heading: 'label', kind: 'label', of: ({ label }) => label },
  {
    heading: 'copy',
    kind: 'ordinal',
    of: ({ copy }) => copy,
    text: ({ copy }) => (copy === BUILT_COPY ? 'built' : null),
  },
  { heading: 'place', kind: 'name', of: ({ place }) => place ?? '' },
  { heading: 'medium', kind: 'name', of: ({ medium }) => medium ?? '' },
  { heading: 'written', kind: 'day', of: ({ writtenWallMs }) => writtenWallMs },
  {
    heading: 'state',
    kind: 'words',
    of: ({ look, ...copy }) => {
      const found = look === undefined ? '' : `, ${look.found === 'there' ? 'is there' : look.because}`
      return `${stateText(copy)}${found}`
    },
  },
]

function stateText({
  state,
  verifiedWallMs,
  damagedWallMs,
  lostWallMs,
  verifyByWallMs,
}: Pick<VolumeCopy, 'state' | 'verifiedWallMs' | 'damagedWallMs' | 'lostWallMs' | 'verifyByWallMs'>): string {
  const day = (wallMs: number | null): string => formatDay(wallMs ?? 0)
  switch (state) {
    case 'good':
      return `good ${day(verifiedWallMs)}, verify by ${day(verifyByWallMs)}`
    case 'overdue':
      return `overdue since ${day(verifyByWallMs)}`
    case 'damaged':
      return `damaged ${day(damagedWallMs)}`
    case 'lost':
      return `lost ${day(lostWallMs)}`
    case 'unverified':
      return 'not verified'
  }
}

function printCopies(copies: readonly VolumeCopy[], most: number, out: Terminal): void {
  const { shown, rest } = firstRows(copies, most, '--all')
  out.lines(ownTableLines(COPY_COLUMNS, shown), '  ')
  out.lines(rest, '  ')
}

export function countedCopies(count: number): string {
  return count === 1 ? '1 copy' : `${formatCount(count)} copies`
}

export function copyName(copy: number): string {
  return copy === BUILT_COPY ? 'the built image or folder' : `copy ${copy}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
