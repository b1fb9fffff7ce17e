import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * With the number of the addon's format (`sketchVersion`). A sketch of another format cannot be read, so that a survey which has only
 * such a one has none: the next survey of its roots reads everything and says why.
 */
const ENDING = '.sketch3'

/** Where the sketches of the catalog's surveys lie: one file for each survey that has one. */
export interface SketchFolder {
  /** The place of a survey's sketch; the folder is there. */
  placeOf(surveyId: string): string
  has(surveyId: string): boolean
  remove(surveyId: string): Promise<void>
  /** Removes the files that belong to none of these surveys, and sketches of other formats. */
  removeOthers(surveyIds: ReadonlySet<string>): void
  /** Takes note of work that goes on although its job has ended. */
  goingOn(work: Promise<void>): void
  /** When no such work goes on any more. */
  settled(): Promise<void>
}

/** The sketches below the data folder. Makes their folder if it is missing. */
export function sketchFolder(dataDir: string): SketchFolder {
  const folder = join(dataDir, 'sketches')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const going = new Set<Promise<void>>()
  const placeOf = (surveyId: string): string => join(folder, `${surveyId}${ENDING}`)
  return {
    placeOf,
    has: (surveyId) => existsSync(placeOf(surveyId)),
    remove: (surveyId) => rm(placeOf(surveyId), { force: true }),
    removeOthers(surveyIds) {
      for (const name of readdirSync(folder)) {
        // What is being written has more behind the ending.
        const end = name.indexOf(ENDING)
        if (!surveyIds.has(name.slice(0, Math.max(0, end)))) rmSync(join(folder, name), { force: true })
      }
    },
    goingOn(work) {
      going.add(work)
      void work.finally(() => going.delete(work))
    },
    async settled() {
      await Promise.all(going)
    },
  }
}
