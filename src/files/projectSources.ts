import path from 'node:path'
import type { Project } from '../domain/project/project'
import { isBelow } from '../primitives/isBelow'
import { absolutePath } from './absolutePath'

/** A source of a project and where it is now. */
export interface ProjectSource {
  readonly name: string
  /** As the project has it. */
  readonly written: string
  /** Absolute. */
  readonly path: string
}

/** The sources of a project with their paths resolved. */
export function sourcesOf({ sources }: Project, file: string): ProjectSource[] {
  return Object.entries(sources).map(([name, written]) => ({
    name,
    written,
    path: absolutePath(written, path.dirname(file)),
  }))
}

/** The DATs of a project with their paths resolved; none where it names none. */
export function datsOf({ dat }: Project, file: string): string[] {
  const written = typeof dat === 'string' ? [dat] : (dat ?? [])
  return written.map((name) => absolutePath(name, path.dirname(file)))
}

/**
 * The key `dat` of a project with these DATs: those that it names already as it names them, others
 * as sources; undefined for none.
 * @param file the project's file, or null for a project without one, where paths stay absolute
 */
export function writtenDats(project: Project, dats: readonly string[], file: string | null): Project['dat'] {
  if (dats.length === 0) return undefined
  if (file === null) return [...dats]
  const { dat = [] } = project
  const known = new Map(
    datsOf(project, file).map((each, at) => [each, typeof dat === 'string' ? dat : dat[at]]),
  )
  const written = dats.map((each) => known.get(each) ?? writtenSource(each, path.dirname(file)))
  return typeof dat === 'string' && written.length === 1 && written[0] === dat ? dat : written
}

/**
 * A source's path as a project in this folder has it: relative inside of the folder, so that both
 * can be moved together.
 */
export function writtenSource(source: string, folder: string): string {
  if (source !== folder && !isBelow(source, folder)) return source
  return path.relative(folder, source).replaceAll(path.sep, '/') || '.'
}
