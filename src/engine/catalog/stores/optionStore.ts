import type { Database } from 'better-sqlite3'
import { type OptionBuild, optionBuildSchema } from '../../../contract/dto/options'
import { storedDocuments } from './storedDocuments'

/** The catalog's record of options that were built for real. */
export interface OptionStore {
  saveOptionBuild(build: OptionBuild): void
  /** @throws AppError `not-found` */
  optionBuild(buildId: string): OptionBuild
  /** Newest first. */
  optionBuilds(): OptionBuild[]
}

export function optionStore(writer: Database, reader: Database): OptionStore {
  const stored = storedDocuments(reader, 'option build', optionBuildSchema)
  return {
    saveOptionBuild(build) {
      writer
        .prepare('INSERT INTO option_builds (id, family, created_wall_ms, document) VALUES (?, ?, ?, ?)')
        .run(build.id, build.family, build.createdWallMs, JSON.stringify(build))
    },
    optionBuild: stored.of,
    optionBuilds: () => stored.all('ORDER BY created_wall_ms DESC, number DESC'),
  }
}
