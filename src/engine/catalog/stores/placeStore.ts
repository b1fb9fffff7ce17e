import type { Database } from 'better-sqlite3'
import { pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { ownIdentity } from '../../files/processIdentity'
import type { NotedPlace, PlaceStore } from '../../files/scratch'

interface Row {
  readonly number: number
  readonly kind: string
  readonly path: Uint8Array
  readonly target: Uint8Array | null
  readonly made: Uint8Array | null
  readonly madeIdentity: string | null
  readonly owner: string
}

/** The journal in the catalog's table `noted_places`. */
export function placeStore(writer: Database): PlaceStore {
  return {
    notePlace(note) {
      const [target, made, identity] =
        note.kind === 'scratch'
          ? [null, null, null]
          : [pathToBytes(note.target), pathToBytes(note.made), note.madeIdentity]
      const owner = ownIdentity()
      const { lastInsertRowid } = writer
        .prepare(
          'INSERT INTO noted_places (kind, path, target, made, made_identity, owner) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(note.kind, pathToBytes(note.path), target, made, identity, owner)
      return { ...note, number: Number(lastInsertRowid), owner }
    },
    notedPlaces: () =>
      writer
        .prepare<[], Row>(
          'SELECT number, kind, path, target, made, made_identity AS madeIdentity, owner FROM noted_places ORDER BY number',
        )
        .all()
        .map(notedPlace),
    placeGone({ number }) {
      writer.prepare('DELETE FROM noted_places WHERE number = ?').run(number)
    },
  }
}

function notedPlace({ number, kind, owner, ...row }: Row): NotedPlace {
  const path = pathFromBytes(row.path)
  if (row.target === null || row.made === null || row.madeIdentity === null)
    return { kind: 'scratch', path, number, owner }
  return {
    kind: kind === 'replaced-plan' ? kind : 'replaced',
    path,
    target: pathFromBytes(row.target),
    made: pathFromBytes(row.made),
    madeIdentity: row.madeIdentity,
    number,
    owner,
  }
}
