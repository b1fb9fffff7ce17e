import type { SurveyDocument } from '../../../contract/dto/survey'
import { type DividedGroup, type GroupOf, groupsOnVolumes } from '../../../domain/sets/packing/groupsTogether'
import type { InventoryItem } from '../../../domain/sets/packing/inventory'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCount, formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { SurveyGroups } from '../../options/surveyGroups'
import type { Layout } from './layoutVolumes'

/** ROM sets that are named one by one; the others are counted. */
const MOST_NAMED = 20

/** The groups of a survey by DATs, each a parent with its clones, as a plan keeps them together. */
export interface RomSetsOfPlan {
  readonly groupOf: GroupOf
  /** A layout with the facts of it, and a note for each that is on several volumes. */
  noted(items: readonly InventoryItem[], layout: Layout): Layout
}

/** @returns null for a survey that no DATs grouped */
export function romSetsOfPlan(
  catalog: Pick<Catalog, 'fileGroupIds'>,
  { id, dat }: Pick<SurveyDocument, 'id' | 'dat'>,
): RomSetsOfPlan | null {
  if (!dat || catalog.fileGroupIds(id, 'dat') === null) return null
  const groups = new SurveyGroups(catalog, id, 'dat')
  const groupOf: GroupOf = (index) => groups.of(index)
  return {
    groupOf,
    noted(items, layout) {
      const { packing } = layout
      const { groups: parents, files, divided } = groupsOnVolumes(items, packing, groupOf)
      const larger = divided.filter(({ isLarger }) => isLarger).length
      const named = divided.slice(0, MOST_NAMED).map((one) => dividedText(one, groups.nameOf(one.group)))
      const rest = divided.length - named.length
      if (rest > 0) named.push(said`${formatCount(rest)} more parents with clones are on several volumes`)
      const notes = named.map((message) => ({ code: 'rom-set-divided', message, blocking: false }))
      return {
        ...layout,
        romSets: { dats: digestsOf(dat.dats), parents, files, divided: divided.length, larger },
        packing: { ...packing, problems: [...packing.problems, ...notes] },
      }
    },
  }
}

/** The SHA-256 of DATs, each once. */
export function digestsOf(dats: readonly { readonly sha256: string }[] = []): string[] {
  return [...new Set(dats.map(({ sha256 }) => sha256))]
}

function dividedText({ bytes, volumes, isLarger }: DividedGroup, name: string): string {
  const what = pathForDisplay(name)
  const on = formatCounted(volumes, 'volume')
  return isLarger
    ? said`${what} with its clones (${formatSize(bytes)}) is larger than a volume: it is on ${on}`
    : said`${what} with its clones (${formatSize(bytes)}) is on ${on}: on one it would take a further volume`
}
