import { existsSync } from 'node:fs'
import type { ArchiveDocument, ArchiveSet, ArchivesDocument } from '../../contract/dto/archive'
import { namedArchives } from '../../contract/dto/archive'
import { type DrillDocument, lastTried } from '../../contract/dto/drill'
import { labelRanges } from '../../contract/dto/plan'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { protectionWord } from '../../domain/sets/protection/protectionChoice'
import { projectTitleSchema } from '../../domain/survey/projectName'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { archiveFacts, archiveNamed } from '../archives'
import { noPositionals, readArguments } from '../arguments'
import {
  ARCHIVES_ADOPT,
  ARCHIVES_FORGET,
  ARCHIVES_LIST,
  ARCHIVES_PLACE,
  ARCHIVES_RENAME,
  ARCHIVES_SHOW,
} from '../declarations/archives'
import { openSession, type Session } from '../session'
import { nextCommand } from '../shape/nextCommand'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { volumesText } from './drill'
import { rulesText } from './rulesText'

const ACTIONS = { show, rename, adopt, place, forget }

/** `stowage archives`: the archives of the catalog. */
export async function archivesCommand(args: readonly string[], out: Terminal): Promise<number> {
  const [action, ...rest] = args
  if (action === undefined || action.startsWith('-')) return list(args, out)
  if (action === 'list') return list(rest, out)
  if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as keyof typeof ACTIONS](rest, out)
  throw unknownName('action', action, ['list', ...Object.keys(ACTIONS)])
}

async function list(args: readonly string[], out: Terminal): Promise<number> {
  noPositionals(readArguments(args, ARCHIVES_LIST).positionals, 'archives')
  await using session = openSession(out)
  const document = await session.engine.archive.list()
  out.document(document)
  printList(document, out)
  return EXIT.done
}

const ARCHIVE_COLUMNS: readonly TableColumn<ArchiveDocument, string>[] = [
  { heading: 'archive', kind: 'name', of: ({ name }) => name },
  { heading: 'ID', kind: 'code', of: ({ id }) => id },
  { heading: 'size', kind: 'bytes', of: ({ sets: [set] }) => (set ? bytesOf(set) : 0) },
  { heading: 'added', kind: 'minute', of: ({ sets: [set] }) => set?.plans.at(-1)?.createdWallMs ?? null },
  { heading: 'sets', kind: 'count', of: ({ sets }) => sets.length },
  { heading: 'discs', kind: 'words', of: ({ sets: [set] }) => (set ? stepsOf(set) : '') },
]

const SET_COLUMNS: readonly TableColumn<ArchiveSet, string>[] = [
  { heading: 'first plan', kind: 'code', of: ({ id }) => id },
  { heading: 'medium', kind: 'words', of: ({ mediumName }) => mediumName },
  { heading: 'labels', kind: 'name', of: labelsOf },
  { heading: 'size', kind: 'bytes', of: bytesOf },
  { heading: 'discs', kind: 'words', of: stepsOf },
]

function printList({ archives, sets }: ArchivesDocument, out: Terminal): void {
  if (archives.length === 0) out.line('There is no archive in the catalog yet.')
  else out.lines(ownTableLines(ARCHIVE_COLUMNS, archives))
  if (sets.length > 0) {
    out.line()
    out.line(`${formatCounted(sets.length, 'set')} of no archive:`)
    out.lines(ownTableLines(SET_COLUMNS, sets), '  ')
  }
  out.line()
  const [archive] = archives
  const [set] = sets
  if (archive) out.lines(nextCommand('Next:', ['add', archive.name]))
  else if (set) out.lines(nextCommand('Next:', ['archives', 'adopt', set.plans.at(-1)?.id ?? set.id, 'NAME']))
  else out.lines(nextCommand('Next:', ['plan', 'FOLDER', '--archive', 'NAME', '--out', 'DIR']))
}

/** The bytes on all volumes of a set, as they were before packing. */
function bytesOf({ plans }: ArchiveSet): number {
  return plans.reduce((sum, { bytes }) => sum + bytes, 0)
}

function labelsOf({ plans }: ArchiveSet): string {
  return plans
    .map(({ firstLabel, lastLabel }) =>
      firstLabel === lastLabel ? firstLabel : `${firstLabel} to ${lastLabel}`,
    )
    .join(', ')
}

/** `2 verified, 1 built, 1 planned`. */
function stepsOf({ plans }: ArchiveSet): string {
  const sum = (of: (plan: ArchiveSet['plans'][number]) => number): number =>
    plans.reduce((total, plan) => total + of(plan), 0)
  const [failed, verified, written] = [
    sum((plan) => plan.failed),
    sum((plan) => plan.verified),
    sum((plan) => plan.written),
  ]
  const made = sum(({ built, volumes }) => Math.min(built, volumes))
  const built = Math.max(0, made - failed - verified - written)
  const planned = Math.max(0, sum((plan) => plan.volumes) - failed - verified - written - built)
  const steps = { failed, verified, written, built, planned }
  return Object.entries(steps)
    .flatMap(([step, count]) => (count === 0 ? [] : `${count} ${step}`))
    .join(', ')
}

/** @throws AppError `usage` unless there are exactly these */
function words<const Names extends readonly string[]>(
  positionals: readonly string[],
  names: Names,
  action: string,
): { readonly [Name in keyof Names]: string } {
  const missing = names[positionals.length]
  if (missing !== undefined)
    throw new AppError('usage', `${missing} is missing: archives ${action} ${names.join(' ')}`)
  noPositionals(positionals.slice(names.length), `archives ${action}`)
  return positionals as unknown as { readonly [Name in keyof Names]: string }
}

async function archiveOf(session: Session, word: string): Promise<ArchiveDocument> {
  return archiveNamed((await session.engine.archive.list()).archives, word)
}

async function show(args: readonly string[], out: Terminal): Promise<number> {
  const [word] = words(readArguments(args, ARCHIVES_SHOW).positionals, ['NAME'], 'show')
  await using session = openSession(out)
  const archive = await archiveOf(session, word)
  out.document({ schema: 'stowage.archive/1', ...archive })
  printArchive(archive, await session.engine.drill.list(), out)
  return EXIT.done
}

const SOURCE_COLUMNS: readonly TableColumn<ArchiveDocument['sources'][number], string>[] = [
  { heading: 'source', kind: 'name', of: ({ name }) => name },
  { heading: 'path', kind: 'path', of: ({ path }) => path },
  { heading: 'state', kind: 'words', of: ({ isThere }) => (isThere ? 'there' : 'not there') },
]

const PLAN_COLUMNS: readonly TableColumn<ArchiveSet['plans'][number], string>[] = [
  { heading: 'plan', kind: 'code', of: ({ id }) => id },
  { heading: 'made', kind: 'minute', of: ({ createdWallMs }) => createdWallMs },
  { heading: 'labels', kind: 'name', of: (plan) => labelsOf({ plans: [plan] } as ArchiveSet) },
  { heading: 'files', kind: 'count', of: ({ files }) => files },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'discs', kind: 'words', of: (plan) => stepsOf({ plans: [plan] } as ArchiveSet) },
  {
    heading: 'exported to',
    kind: 'path',
    of: ({ directory, directoryExists }) => (directoryExists ? (directory ?? '') : ''),
  },
]

function printArchive(archive: ArchiveDocument, drills: readonly DrillDocument[], out: Terminal): void {
  const { name, id, sources, sets, rules, medium, option, encryption, label, protection, copies } = archive
  out.line(`${name} (${id})`)
  out.line()
  if (sources.length > 0) out.lines(ownTableLines(SOURCE_COLUMNS, sources))
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['Left out', rulesText(rules, { withPatterns: true })],
    ['Medium', medium],
    ['Option', option],
    ['Encryption', encryption === 'none' ? null : encryption],
    ['Labels', label === null ? null : `${label}_01, ${label}_02 and so on`],
    ['Recovery data', protection === null ? null : protectionWord(protection)],
    ['Copies', copies],
  ]
  for (const [what, value] of facts)
    if (value !== null) out.lines(wrapped(`${what}: ${pathForDisplay(String(value))}`, '  '))
  for (const set of sets) {
    out.line()
    out.line(
      `Set on ${pathForDisplay(set.mediumName)}: ${labelRanges(set.plans.map(({ firstLabel }) => firstLabel))}`,
    )
    out.lines(ownTableLines(PLAN_COLUMNS, set.plans), '  ')
  }
  const tried = triedText(archive, drills)
  if (tried !== null) out.lines(['', ...wrapped(tried, '  ')])
  out.line()
  out.lines(nextCommand('Next:', ['add', name]))
}

/** The last restore drill of an archive from a copy that is not the one in the plan's folder. */
function triedText({ sets }: ArchiveDocument, drills: readonly DrillDocument[]): string | null {
  const plans = new Set(sets.flatMap((set) => set.plans.map(({ id }) => id)))
  const last = lastTried(drills, plans)
  if (last === null) return null
  return `Restore tried on ${formatDay(last.startedWallMs)} from ${pathForDisplay(volumesText(last.volumes))}: ${last.right} of ${formatCounted(last.files, 'file')} came back.`
}

async function rename(args: readonly string[], out: Terminal): Promise<number> {
  const [word, given] = words(
    readArguments(args, ARCHIVES_RENAME).positionals,
    ['NAME', 'NEW-NAME'],
    'rename',
  )
  const name = titleOf(given)
  await using session = openSession(out)
  const { id, name: before } = await archiveOf(session, word)
  const renamed = await session.engine.archive.rename({ archiveId: id, name })
  out.document({ schema: 'stowage.archive/1', ...renamed })
  out.line(`${before} is now ${name} (${id}).`)
  return EXIT.done
}

function titleOf(given: string): string {
  const title = projectTitleSchema.safeParse(given)
  if (title.success) return title.data
  throw new AppError('usage', `the name of an archive ${title.error.issues[0]?.message ?? ''}`)
}

async function adopt(args: readonly string[], out: Terminal): Promise<number> {
  const [given, word, ...more] = readArguments(args, ARCHIVES_ADOPT).positionals
  if (given === undefined) throw new AppError('usage', 'PLAN is missing: archives adopt PLAN [NAME]')
  noPositionals(more, 'archives adopt')
  await using session = openSession(out)
  const planId = await planIdOf(session, given)
  const { archives } = await session.engine.archive.list()
  const known = word !== undefined && namedArchives(archives, word).length > 0
  const kept = await session.engine.archive.keep({
    planId,
    ...(word !== undefined &&
      (known ? { archiveId: archiveNamed(archives, word).id } : { name: titleOf(word) })),
  })
  out.document({ schema: 'stowage.archive/1', ...kept })
  out.line(`Plan ${planId} is of the archive ${kept.name} (${kept.id}): ${archiveFacts(kept)}.`)
  out.lines(nextCommand('Next:', ['archives', 'show', kept.name]))
  return EXIT.done
}

/** The ID of a plan that is given by it or by the plan's folder. */
async function planIdOf(session: Session, given: string): Promise<string> {
  if (!existsSync(given)) return given
  return (await session.engine.plan.open({ directory: absolutePath(given) })).id
}

async function place(args: readonly string[], out: Terminal): Promise<number> {
  const given = readArguments(args, ARCHIVES_PLACE).positionals
  const [word, source, to] = words(given, ['NAME', 'SOURCE', 'PATH'], 'place')
  const path = absolutePath(to)
  await using session = openSession(out)
  const { id, name } = await archiveOf(session, word)
  out.document({
    schema: 'stowage.archive/1',
    ...(await session.engine.archive.place({ archiveId: id, source, path })),
  })
  out.line(`${source} of ${name} is at ${pathForDisplay(path)} on this computer.`)
  return EXIT.done
}

async function forget(args: readonly string[], out: Terminal): Promise<number> {
  const [word] = words(readArguments(args, ARCHIVES_FORGET).positionals, ['NAME'], 'forget')
  await using session = openSession(out)
  const { id, name, sets } = await archiveOf(session, word)
  await session.engine.archive.forget({ archiveId: id })
  out.document({ schema: 'stowage.archive-forgotten/1', id, name, sets: sets.map((set) => set.id) })
  out.line(
    `${name} (${id}) is no longer listed; ${formatCounted(sets.length, 'set')} of it and all files stay.`,
  )
  return EXIT.done
}
