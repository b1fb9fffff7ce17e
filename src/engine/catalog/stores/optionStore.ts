import type { Database } from 'better-sqlite3'
import { type OptionBuild, optionBuildSchema } from '../../../contract/dto/options'
import { AppError } from '../../../primitives/appError'

/** The catalog's record of options that were built for real. */
export interface OptionStore {
  saveOptionBuild(build: OptionBuild): void
  /** @throws AppError `not-found` */
  optionBuild(buildId: string): OptionBuild
  /** Newest first. */
  optionBuilds(): OptionBuild[]
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
  }
}
