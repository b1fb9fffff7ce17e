import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RomsRequest } from '../../contract/dto/roms'
import type { RomsDocument } from '../../domain/roms/romsDocument'
import { type JudgedDat, LogiqxWriter, type WrittenHeader, writtenGames } from '../../domain/roms/writtenDat'
import { WRITTEN_KINDS, type WrittenKind } from '../../domain/roms/writtenKinds'
import { AppError } from '../../primitives/appError'
import { isBelow } from '../../primitives/isBelow'
import { said } from '../../primitives/said'
import { attempt, cannot, fsPath, joinPath, lstatAt, realPathAt } from '../files/fileSystem'
import { replaceFile } from '../files/place'
import type { PlaceNotes } from '../files/scratch'
import { folderOf } from '../files/write'

/** A DAT that is asked for. */
interface AskedDat {
  readonly kind: WrittenKind
  readonly path: string
}

/** The DATs that a request wants written. */
export function askedDats({ writeHave, writeMissing }: RomsRequest): AskedDat[] {
  const paths = { have: writeHave, missing: writeMissing }
  return WRITTEN_KINDS.flatMap((kind) => {
    const path = paths[kind]
    return path === undefined ? [] : [{ kind, path }]
  })
}

/**
 * Makes sure that files can be written there, before anything is compared.
 * @param roots the sources, in which nothing is written
 * @throws AppError `exists`, `refused` for a path in a source, `bad-input` for one file for both,
 *   `not-found`, `not-a-folder`
 */
export async function requireWritable(asked: readonly AskedDat[], roots: readonly string[]): Promise<void> {
  const places = new Set<string>()
  for (const { path } of asked) {
    const folder = folderOf(path)
    const facts = await attempt('write', path, stat(fsPath(folder)))
    if (!facts.isDirectory()) throw cannot('not-a-folder', 'write', path, said`not a folder`)
    if (lstatAt(path) !== null) throw cannot('exists', 'write', path, said`it already exists`)
    const place = joinPath(realPathAt(folder) ?? folder, basename(path))
    if (roots.some((root) => isBelow(place, root)))
      throw cannot('refused', 'write', path, said`it is in the folder that is compared`)
    if (places.has(place))
      throw new AppError('bad-input', said`both DATs cannot be written to one file: ${path}`, { path })
    places.add(place)
  }
}

/**
 * Writes the DATs that are asked for.
 * @throws AppError `exists`, `no-space`, `permission-denied`, `io`
 */
export async function writeDats(
  asked: readonly AskedDat[],
  dats: readonly JudgedDat[],
  header: Omit<WrittenHeader, 'name' | 'description'>,
  notes: PlaceNotes,
): Promise<NonNullable<RomsDocument['written']>> {
  const written: NonNullable<RomsDocument['written']> = []
  for (const { kind, path } of asked) {
    const games = writtenGames(dats, kind)
    const of = dats.map(({ name }) => name).join(', ')
    const title = `${of || 'DAT'} (${kind})`
    const writer = new LogiqxWriter({ ...header, name: title, description: title }, games)
    await replaceFile(notes, path, false, () => writer.pieces())
    const files = games.reduce((sum, game) => sum + game.files.length, 0)
    written.push({ kind, path, games: games.length, files, replaced: writer.replaced })
  }
  return written
}
