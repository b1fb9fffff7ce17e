import type { Database } from 'better-sqlite3'
import { type OptionBuild, optionBuildSchema } from '../../contract/dto/options'
import { AppError } from '../../primitives/appError'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'

/** A folder that the build of an option works in, as noted before it is made. */
export interface NotedBuildFolder {
  readonly number: number
  readonly path: string
  readonly ownerPid: number
}

/** The catalog's record of options that were built for real. */
export interface OptionStore {
  saveOptionBuild(build: OptionBuild): void
  /** @throws AppError `not-found` */
  optionBuild(buildId: string): OptionBuild
  /** Newest first. */
  optionBuilds(): OptionBuild[]
  /** Returns when the note is on the disk: only then may the folder be made. */
  noteBuildFolder(path: string): NotedBuildFolder
  buildFolders(): NotedBuildFolder[]
  buildFolderGone(noted: NotedBuildFolder): void
}

export function optionStore(writer: Database, reader: Database): OptionStore {
  const parse = (document: string): OptionBuild => optionBuildSchema.parse(JSON.parse(document))
  return {
    saveOptionBuild(build) {
      writer
        .prepare('INSERT INTO option_builds (id, family, created_wall_ms, document) VALUES (?, ?, ?, ?)')
        .run(build.id, build.family, build.createdWallMs, JSON.stringify(build))
    },
    optionBuild(buildId) {
      const row = reader
        .prepare<[string], { document: string }>('SELECT document FROM option_builds WHERE id = ?')
        .get(buildId)
      if (!row) throw new AppError('not-found', `no option build ${buildId} in the catalog`)
      return parse(row.document)
    },
    optionBuilds: () =>
      reader
        .prepare<[], { document: string }>(
          'SELECT document FROM option_builds ORDER BY created_wall_ms DESC, number DESC',
        )
        .all()
        .map(({ document }) => parse(document)),
    noteBuildFolder(path) {
      const { lastInsertRowid } = writer
        .prepare('INSERT INTO option_folders (path, owner_pid) VALUES (?, ?)')
        .run(pathToBytes(path), process.pid)
      return { number: Number(lastInsertRowid), path, ownerPid: process.pid }
    },
    buildFolders: () =>
      writer
        .prepare<[], { number: number; path: Uint8Array; ownerPid: number }>(
          'SELECT number, path, owner_pid AS ownerPid FROM option_folders ORDER BY number',
        )
        .all()
        .map(({ number, path, ownerPid }) => ({ number, path: pathFromBytes(path), ownerPid })),
    buildFolderGone({ number }) {
      writer.prepare('DELETE FROM option_folders WHERE number = ?').run(number)
    },
  }
}
