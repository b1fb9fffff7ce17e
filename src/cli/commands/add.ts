import { existsSync } from 'node:fs'
import type { ArchiveAddition, ArchiveDocument } from '../../contract/dto/archive'
import { datGroupings, parseRecipe } from '../../domain/options/recipes/recipe'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { archiveNamed } from '../archives'
import { onlyPositional, readArguments } from '../arguments'
import { ADD } from '../declarations/archives'
import { openSession, type Session } from '../session'
import { typedPath } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { planCommand } from './plan'
import { buildCommand } from './runs'

/** `stowage add`: a survey and a plan of what is new of an archive, and its discs. */
export async function addCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ADD)
  const word = onlyPositional(positionals, 'archive')
  const { archive, addition } = await prepared(word, values.source ?? [], out)
  requireBuilt(archive, addition)
  const directory = directoryOf(archive, addition, values.out)
  const dats = values.dat ?? datsBefore(archive, addition, out)
  const layout = values.layout ?? addition.layout
  noteBehind(addition, out)
  const planned = await planNew(
    [
      '--archive',
      archive.id,
      '--out',
      directory,
      ...dats.flatMap((dat) => ['--dat', dat]),
      ...(layout && dats.length > 0 ? ['--layout', layout] : []),
      ...placementWords(addition),
      ...(values['record-names'] ? ['--record-names'] : []),
    ],
    // One command prints one document: that of the last step.
    values.build ? { ...out, document: () => {} } : out,
    values.build,
  )
  if (planned === null) {
    out.document({ schema: 'stowage.addition/1', archive: addition.archive, planned: false })
    return EXIT.done
  }
  if (!values.build) return planned
  const passwords = [
    ...(values['password-file'] === undefined ? [] : ['--password-file', values['password-file']]),
    ...(values['password-stdin'] ? ['--password-stdin'] : []),
  ]
  const built = await buildCommand([directory, ...passwords], out)
  return built === EXIT.done ? planned : built
}

/** The archive with its sources where they are now, and what its next plan adds to. */
async function prepared(
  word: string,
  sources: readonly string[],
  out: Terminal,
): Promise<{ archive: ArchiveDocument; addition: ArchiveAddition }> {
  await using session = openSession(out)
  const found = archiveNamed((await session.engine.archive.list()).archives, word)
  const archive = await withPlaces(session, found, sources)
  return { archive, addition: await session.engine.archive.addition({ archiveId: archive.id }) }
}

async function withPlaces(
  session: Session,
  archive: ArchiveDocument,
  sources: readonly string[],
): Promise<ArchiveDocument> {
  let placed = archive
  for (const text of sources) {
    const at = text.indexOf('=')
    if (at <= 0 || at === text.length - 1)
      throw new AppError('usage', `--source takes NAME=PATH, not "${text}"`)
    const place = { source: text.slice(0, at), path: absolutePath(text.slice(at + 1)) }
    placed = await session.engine.archive.place({ archiveId: archive.id, ...place })
  }
  return placed
}

/** @throws AppError `refused` where the last addition was planned and not built */
function requireBuilt({ name }: ArchiveDocument, { unbuilt }: ArchiveAddition): void {
  if (unbuilt === null) return
  const { planId, directory } = unbuilt
  const build = directory === null ? 'build it' : `build it (stowage build ${typedPath(directory)})`
  throw new AppError(
    'refused',
    `plan ${planId} adds to ${name} and is not built yet: ${build}, or remove it (stowage catalog remove ${planId}) and add again`,
  )
}

/**
 * The DATs of the last plan. Without one of them files as they are can be added all the same.
 * @throws AppError `not-found` for one that is elsewhere by now, where archives are made by them
 */
function datsBefore(
  { name, option }: ArchiveDocument,
  { dats = [] }: ArchiveAddition,
  out: Terminal,
): readonly string[] {
  const gone = dats.find((path) => !existsSync(path))
  if (gone === undefined) return dats
  const shown = `a DAT of ${name} is not there: ${pathForDisplay(gone)}`
  const recipe = parseRecipe(option ?? '')
  if (recipe && datGroupings(recipe).length > 0)
    throw new AppError('not-found', `${shown} (give all that it is packed by with --dat FILE)`, {
      path: gone,
    })
  out.note(`${shown}; ROM sets may be divided (--dat FILE keeps them together)`)
  return []
}

function directoryOf({ name, id }: ArchiveDocument, { directory }: ArchiveAddition, given?: string): string {
  if (given !== undefined) return absolutePath(given)
  if (directory !== null) return directory
  throw new AppError(
    'usage',
    `the folder of the plans of ${name} is not known: give --out DIR (archive ${id})`,
  )
}

function noteBehind({ behind }: ArchiveAddition, out: Terminal): void {
  for (const { mediumName, plans, bytes, setId } of behind)
    out.note(
      `the set of plan ${setId} (${pathForDisplay(mediumName)}) is ${formatCounted(plans, 'addition')} behind: ${formatSize(bytes)}`,
    )
}

function placementWords({ placement }: ArchiveAddition): string[] {
  const { order, labelBy, reserveBytes } = placement ?? {}
  return [
    ...(order === undefined ? [] : ['--order', order]),
    ...(labelBy === undefined ? [] : ['--label-by', labelBy]),
    ...(reserveBytes === undefined ? [] : ['--reserve', String(reserveBytes)]),
  ]
}

/** Plans what is new. @returns the exit code; null where nothing is new, which is said */
async function planNew(args: readonly string[], out: Terminal, isBuilt: boolean): Promise<number | null> {
  try {
    return await planCommand(args, out, { isAddition: true, isBuilt })
  } catch (thrown) {
    const error = AppError.from(thrown)
    if (error.code !== 'nothing-to-do') throw thrown
    out.lines(wrapped(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`, '  '))
    return null
  }
}
