import { familyPlaces } from '../../domain/roms/familyPlaces'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { Catalog, FileGrouping, GroupedIds } from '../catalog/catalog'

/** The groups of files that a survey found. */
export class SurveyGroups {
  readonly #groups: ReadonlyMap<number, number>
  readonly #names: GroupedIds['names']

  /** @throws AppError `not-found` if the survey has none */
  constructor(catalog: Pick<Catalog, 'fileGroupIds'>, surveyId: string, by: FileGrouping) {
    const grouped = requireGroups(catalog, surveyId, by)
    this.#groups = new Map(Array.from(grouped.ids, (id, at) => [id, grouped.groups[at] as number]))
    this.#names = grouped.names
  }

  /** The number of a file's group, by the id of its entry; undefined for a group of its own. */
  of(id: number): number | undefined {
    return this.#groups.get(id)
  }

  /** The name of a group: that of the parent, of groups by DATs; empty for others. */
  nameOf(group: number): string {
    return this.#names?.[group] ?? ''
  }

  /** Where the archives of groups with names should be, without an ending, by their numbers. */
  places(files: readonly { readonly id: number; readonly path: string }[]): ReadonlyMap<number, string> {
    if (!this.#names) return new Map()
    const members = files.flatMap(({ id, path }) => {
      const family = this.#groups.get(id)
      return family === undefined ? [] : [{ path, family }]
    })
    return familyPlaces(members, this.#names)
  }
}

/** @throws AppError `not-found` for a survey without such groups */
export function requireGroups(
  catalog: Pick<Catalog, 'fileGroupIds'>,
  surveyId: string,
  by: FileGrouping,
): GroupedIds {
  const grouped = catalog.fileGroupIds(surveyId, by)
  if (grouped === null) throw new AppError('not-found', missing(surveyId, by))
  return grouped
}

function missing(surveyId: string, by: FileGrouping): string {
  return by !== 'groups'
    ? said`survey ${surveyId} has no groups by a DAT: survey again with --dat`
    : said`survey ${surveyId} has no file groups: survey again with --full`
}
