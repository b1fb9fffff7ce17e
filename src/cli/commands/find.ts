import type { FoundFile, VolumeState } from '../../contract/dto/plan'
import { FOUND_TABLE } from '../../contract/tables/catalogTables'
import { stepOf } from '../../domain/sets/volumeState'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { archiveNamed } from '../archives'
import { onlyPositional, readArguments } from '../arguments'
import { FIND } from '../declarations/catalog'
import { openSession, type Session } from '../session'
import { elided } from '../shape/elided'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { cellText, tableLines } from '../shape/tableLines'
import { lineWidth, wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** Files found where no limit is given, and how many of them are listed. */
const MOST_FOUND = 200
const SHOWN = 12
const SHOWN_DISCS = 5

export async function findCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, FIND)
  const pattern = onlyPositional(positionals, 'pattern')
  const limit = Number(values.limit ?? MOST_FOUND)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 10_000) {
    throw new AppError('usage', `--limit takes a number from 1 to 10000, not "${values.limit}"`)
  }
  await using session = openSession(out)
  const planIds = values.archive === undefined ? undefined : await plansOf(session, values.archive)
  const found = await session.engine.catalog.find({ pattern, limit, ...(planIds && { planIds }) })
  out.document({ schema: 'stowage.find/1', pattern, files: found })
  if (found.length === 0) {
    out.note(`no file matches "${pathForDisplay(pattern)}"`)
    return EXIT.notDone
  }
  printFound(found, values.limit === undefined ? SHOWN : found.length, out)
  const first = found.find(({ volume }) => volume !== null && !volume.leftOut)
  const files = /[*?]/.test(pattern) ? pattern : first?.path
  if (first && files !== undefined)
    out.lines(nextCommand('To restore:', ['restore', 'DISC', '--files', files, '--to', 'restored']))
  if (found.length === limit) out.note(`the search ended after ${limit} files: a larger --limit finds more`)
  return EXIT.done
}

async function plansOf(session: Session, word: string): Promise<string[]> {
  const { sets } = archiveNamed((await session.engine.archive.list()).archives, word)
  return sets.flatMap(({ plans }) => plans.map(({ id }) => id))
}

/** The volumes that a restore needs, then the place of each file. */
function printFound(found: readonly FoundFile[], most: number, out: Terminal): void {
  const needed = volumesNeeded(found)
  const files = new Set(found.map(({ path }) => path)).size
  const what = formatCounted(files, 'file')
  const them = files === 1 ? 'it' : 'these files'
  const plans = new Set(found.flatMap(({ volume }) => volume?.planId ?? [])).size
  const where = plans > 1 ? ` in ${formatCount(plans)} plans` : ''
  out.lines(
    wrapped(
      needed === null
        ? `${what} found, on no volume${found.some(({ volume }) => volume?.leftOut) ? '' : ' yet'}.`
        : `${what} found${where}. To restore ${them} ${needed}`,
      '  ',
    ),
  )
  const madeFirst = [...found.filter(isMade), ...found]
  const states = firstRows([...discStates(madeFirst)], SHOWN_DISCS, '--json')
  for (const state of states.shown) out.lines(wrapped(state, '  '))
  out.lines(states.rest)
  out.line()
  const { shown, rest } = firstRows(found, most, `--limit ${formatCount(found.length)}`.replaceAll(',', ''))
  const widest = (column: 'volume' | 'plan'): number =>
    Math.max(...shown.map((file) => cellText(FOUND_TABLE[column], file).length))
  const room = lineWidth() - 13 - widest('volume') - widest('plan')
  const isWhole = rest.length === 0 && found.length > SHOWN
  const path = (file: FoundFile): string => {
    const text = pathForDisplay(file.path)
    return isWhole ? text : elided(text, room)
  }
  out.lines(tableLines(FOUND_TABLE, ['volume', 'plan', 'bytes', 'path'], shown, { cells: { path } }))
  out.lines(rest)
}

/** True for a file on a volume that was built or written. */
function isMade({ volume }: FoundFile): boolean {
  return volume !== null && !volume.leftOut && stepOf(volume.state) !== 'planned'
}

/**
 * One line for each disc that holds something of what was found: which it is, and when it was made.
 */
function discStates(found: readonly FoundFile[]): Set<string> {
  return new Set(
    found.flatMap(({ volume }) =>
      volume === null || volume.leftOut
        ? []
        : `${volume.label}, disc ${volume.index} of plan ${volume.planId}: ${stateText(volume.state)}`,
    ),
  )
}

function stateText({
  plannedWallMs,
  builtWallMs,
  writtenWallMs,
  verifiedWallMs,
  failedWallMs,
  checkByWallMs,
}: VolumeState): string {
  if (failedWallMs !== null) return `verification failed ${formatDay(failedWallMs)}`
  const steps = [
    ...(builtWallMs === null ? [] : [`built ${formatDay(builtWallMs)}`]),
    ...(writtenWallMs === null ? [] : [`written ${formatDay(writtenWallMs)}`]),
    ...(verifiedWallMs === null ? [] : [`verified ${formatDay(verifiedWallMs)}`]),
    ...(checkByWallMs === null ? [] : [`check again by ${formatDay(checkByWallMs)}`]),
  ]
  return steps.length === 0 ? `planned ${formatDay(plannedWallMs)}` : steps.join(', ')
}

/**
 * `you need …`: the volumes that have what was found, plan by plan; those only planned where no
 * other has it, since a burn script may have written them; null when it is on none.
 */
function volumesNeeded(found: readonly FoundFile[]): string | null {
  const made = volumesOf(found.filter(isMade))
  if (made !== null) return made
  const planned = volumesOf(found)
  return planned === null ? null : `${planned} None of it is known to be built or written.`
}

function volumesOf(found: readonly FoundFile[]): string | null {
  const plans = new Map<string, Map<string, number>>()
  for (const { volume } of found) {
    if (volume === null || volume.leftOut) continue
    const labels = plans.get(volume.planId) ?? new Map<string, number>()
    plans.set(volume.planId, labels)
    if (volume.needs) for (const [at, label] of volume.needs.entries()) labels.set(label, at)
    else labels.set(volume.label, volume.index)
  }
  if (plans.size === 0) return null
  const sets = [...plans].map(([planId, labels]) => {
    const names = [...labels].toSorted(([, a], [, b]) => a - b).map(([label]) => label)
    const count = names.length === 1 ? 'disc' : `${formatCount(names.length)} discs:`
    return `${count} ${names.join(', ')} (plan ${planId})`
  })
  return `you need ${sets.join(', or ')}.`
}
