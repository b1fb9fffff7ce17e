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

/** A name for a source that no other one has, made of the last part of its path. */
export function sourceName(source: string, taken: readonly string[]): string {
  const word = path
    .basename(source)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
  const base = word.replace(/^[._-]+/, '').slice(0, 40) || 'source'
  let name = base
  for (let number = 2; taken.includes(name); number++) name = `${base}-${number}`
  return name
}

/**
 * A source's path as a project in this folder has it: relative inside of the folder, so that both
 * can be moved together.
 */
export function writtenSource(source: string, folder: string): string {
  if (source !== folder && !isBelow(source, folder)) return source
  return path.relative(folder, source).replaceAll(path.sep, '/') || '.'
}
