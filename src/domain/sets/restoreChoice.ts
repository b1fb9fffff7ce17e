import { z } from 'zod'

/** A path in a set, taken literally; empty for the whole set. */
const setPathSchema = z.string().max(65_536)

/**
 * Folders and files of a set by their exact paths. Everything follows the nearest of these above
 * it: a folder can be chosen but for a part of it.
 */
export const restoreChoiceSchema = z.object({
  paths: z.array(setPathSchema),
  except: z.array(setPathSchema).default([]),
})
export type RestoreChoice = z.infer<typeof restoreChoiceSchema>

/** True for a path that is chosen, false for one that is left out of a folder above it. */
export type ChoiceMarks = ReadonlyMap<string, boolean>

export function marksOf({ paths, except }: RestoreChoice): ChoiceMarks {
  return new Map([
    ...paths.map((path) => [path, true] as const),
    ...except.map((path) => [path, false] as const),
  ])
}

export function choiceOf(marks: ChoiceMarks): RestoreChoice {
  const marked = (wanted: boolean): string[] =>
    [...marks].flatMap(([path, value]) => (value === wanted ? [path] : []))
  return { paths: marked(true), except: marked(false) }
}

/** True when the nearest mark, of the path itself or of a folder above it, chooses it. */
export function isChosen(marks: ChoiceMarks, path: string): boolean {
  for (let at = path; ; at = folderOf(at)) {
    const mark = marks.get(at)
    if (mark !== undefined) return mark
    if (at === '') return false
  }
}

/** The folder that a path is in; empty for what is at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
