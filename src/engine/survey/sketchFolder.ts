import { existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog'
import { fileFailure } from '../files/fileSystem'
import { ensureFolder } from '../files/write'

/**
 * With the number of the addon's format (`sketchVersion`). A sketch of another format cannot be
 * read, so that a survey which has only such a one has none: the next survey of its roots reads
 * everything and says why.
 */
const ENDING = '.sketch3'
/** Behind the ending: the sketch that a survey in progress builds on. */
const LEASED = '.earlier'

/** Where the sketches of the catalog's surveys lie: one file for each survey that has one. */
export interface SketchFolder {
  /** The place of a survey's sketch; the folder is there. */
  placeOf(surveyId: string): string
  has(surveyId: string): boolean
  remove(surveyId: string): Promise<void>
  /**
   * Gives a sketch a further name for the survey that builds on it: it stays until `release`,
   * although others remove it.
   * @returns its place, null when there is no such sketch any more
   */
  lease(surveyId: string, forSurveyId: string): Promise<string | null>
  release(forSurveyId: string): Promise<void>
  /**
   * Removes the files that belong to no survey, sketches of other formats, and leases of surveys
   * that are not in progress.
   * @param surveyIds asked after the folder has been listed, so that what belongs to a survey
   *   begun meanwhile stays
   */
  removeOthers(surveyIds: Catalog['surveyIds']): void
  /** Takes note of work that goes on although its job has ended. */
  goingOn(work: Promise<void>): void
  /** When no such work goes on any more. */
  settled(): Promise<void>
}

/** The sketches below the data folder. Makes their folder if it is missing. */
export function sketchFolder(dataDir: string): SketchFolder {
  const folder = join(dataDir, 'sketches')
  ensureFolder(folder, 0o700)
  const going = new Set<Promise<void>>()
  const placeOf = (surveyId: string): string => join(folder, `${surveyId}${ENDING}`)
  const leaseOf = (surveyId: string): string => `${placeOf(surveyId)}${LEASED}`
  return {
    placeOf,
    has: (surveyId) => existsSync(placeOf(surveyId)),
    remove: (surveyId) => rm(placeOf(surveyId), { force: true }),
    async lease(surveyId, forSurveyId) {
      const [from, to] = [placeOf(surveyId), leaseOf(forSurveyId)]
      try {
        // Not every file system has hard links.
        await link(from, to).catch(() => copyFile(from, to))
        return to
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw fileFailure(thrown, 'copy', from)
      }
    },
    release: (forSurveyId) => rm(leaseOf(forSurveyId), { force: true }),
    removeOthers(surveyIds) {
      const names = readdirSync(folder)
      const { all, open } = surveyIds()
      for (const name of names) {
        // What is being written has more behind the ending.
        const survey = name.slice(0, Math.max(0, name.indexOf(ENDING)))
        const isOwned = name.endsWith(LEASED) ? open.has(survey) : all.has(survey)
        if (!isOwned) rmSync(join(folder, name), { force: true })
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
