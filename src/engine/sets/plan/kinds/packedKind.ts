import type { PlanDocument, PlanPacking } from '../../../../contract/dto/plan'
import type { SurveyDocument } from '../../../../contract/dto/survey'
import type { Medium } from '../../../../domain/media/medium'
import { typesAsIs } from '../../../../domain/options/recipes/asIs'
import { addedFolder } from '../../../../domain/sets/growing/addedFolder'
import { nameBytes } from '../../../../domain/sets/naming/nameBytes'
import { macNames } from '../../../../domain/sets/naming/names'
import type { InventoryItem } from '../../../../domain/sets/packing/inventory'
import { mayLeaveOut } from '../../../../domain/survey/rules/rules'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { whyUnfit } from '../../../options/builders/torrentZip/torrentZipFile'
import { zipName } from '../../../options/builders/torrentZip/zipNames'
import type { SourceEntries } from '../../../survey/sourceEntries'
import { factOf, type History } from '../../volume/lists/historyLines'
import type { Layout } from '../layoutVolumes'
import { packedLayout } from '../packedLayout'
import {
  type ItemRecipes,
  inPackingOrder,
  type PackedPlan,
  packingGroups,
  partOf,
  planPacking,
  recipesOf,
} from '../packedPlan'
import { PlanLines } from '../planLines'
import { timesOfPlan } from '../timesOfPlan'
import { namesOnVolumes } from './namesOnVolumes'
import type { AskedPlan, PlacedContent, PlanKind } from './planKind'

/**
 * Files in archives, in compressed files, or in one disk image for a Mac.
 * @param source of the survey
 * @throws AppError `nothing-to-do` for a source without content, `not-found` for what the survey
 *   has no forecast of
 */
export async function packedKind(
  asked: AskedPlan,
  packed: PackedPlan,
  source: SourceEntries,
): Promise<PlanKind> {
  requireContent(source.items, packed.name)
  return kindOf(asked, packed, await planPacking(asked.catalog, asked.survey, packed, source))
}

function kindOf(asked: AskedPlan, packed: PackedPlan, packing: PlanPacking): PlanKind {
  const recipesIn = recipesOf(packed.recipe)
  const { request, medium, survey, earlier, catalog, labelPrefix, signal } = asked
  const { protection } = request
  const layOut = async (
    { source, placement, placing }: PlacedContent,
    on: Medium,
    history?: History,
  ): Promise<Layout> => {
    const layout = await packedLayout({
      ...packed,
      source,
      medium: on,
      mostBytes: packing.image?.bytes ?? Math.ceil(packing.bytes.high),
      labelPrefix,
      placement,
      protection,
      placing,
      history,
      addsTo: earlier?.addsTo,
      signal,
    })
    requireOneImage(packed, survey, earlier !== null, layout.volumes.length)
    return layout
  }
  return {
    facts: { packing },
    splitsFiles: false,
    ofNew(items, all) {
      requireNewContent(items, packed.name)
      const bytes = partOf(packing.bytes, all, items)
      if (packed.form.kind !== 'many' || !earlier) return kindOf(asked, packed, { ...packing, bytes })
      const before = earlier.lines.map((line) => line.at || factOf(line, 'path'))
      return kindOf(asked, packed, { ...packing, bytes, folder: addedFolder(earlier.generation, before) })
    },
    items: ({ source }) => source.items,
    layout: {
      beforeDigests: (placed, on) => layOut(placed, on),
      layOut: (placed, { plan, medium: on }) => layOut(placed, on, plan.history),
    },
    lines: {
      of: (source, files) =>
        new PlanLines(source, {
          files,
          packed: packingGroups(catalog, survey.id, packed, source, recipesIn(source)),
        }),
      inOrder: () => inPackingOrder(catalog, survey.id, packed),
    },
    problems: {
      ofNames(source) {
        if (packing.image) return macNames(source.items)
        if (packed.form.kind !== 'many') return []
        const recipes = recipesIn(source)
        const names = namesOnVolumes(source, medium.kind, [
          ...longNames(source, recipes),
          ...unfitNames(source, recipes),
        ])
        return [...(earlier ? [] : unusedNotes(recipes)), ...names]
      },
      ofVolumes: () => fewReaders(packed),
    },
    // The forecast of packing is of the whole source.
    times: (layout, source, parity) =>
      earlier
        ? Promise.resolve(null)
        : timesOfPlan(catalog, survey, { medium, packed, layout, source, protection, parity }, signal),
  }
}

/** An archive of nothing cannot be made: names alone are recorded by plans of plain files. */
function requireNewContent(items: readonly InventoryItem[], recipe: string): void {
  if (items.some(({ bytes }) => bytes > 0)) return
  throw new AppError(
    'nothing-to-do',
    said`no content is new that could be packed as ${recipe}: nothing is lost, and the next volume with new content lists names, folders and links`,
  )
}

function requireContent(items: readonly InventoryItem[], recipe: string): void {
  if (items.some(({ bytes }) => bytes > 0)) return
  const isEmpty = items.every(({ path }) => path === '')
  const message = isEmpty
    ? said`the source has no files to plan`
    : said`cannot plan ${recipe}: no file of the source has content; plan it as plain files`
  throw new AppError('nothing-to-do', message)
}

/** mksquashfs takes rules for types only with whole folders, not with a part of their files. */
function requireOneImage(
  packed: PackedPlan,
  survey: SurveyDocument,
  isAdded: boolean,
  volumes: number,
): void {
  if (packed.recipe.family !== 'squashfs' || typesAsIs(packed.recipe).length === 0) return
  if (isAdded) {
    throw new AppError(
      'refused',
      said`cannot plan ${packed.name}: mksquashfs stores types as they are only in an image of whole folders, and earlier plans keep files of them; choose another option, or plan everything anew`,
    )
  }
  if (mayLeaveOut(survey)) {
    throw new AppError(
      'refused',
      said`cannot plan ${packed.name}: mksquashfs stores types as they are only in an image of whole folders, and rules leave files out; choose another option`,
    )
  }
  if (packed.isJoined || volumes === 1) return
  throw new AppError(
    'refused',
    said`cannot plan ${packed.name} on ${volumes} volumes: mksquashfs stores types as they are only in one image of everything; choose another option, a larger medium or --joined`,
  )
}

/**
 * The most bytes that compressed files have at the end of their names, after the name of the source
 * file.
 */
const LONGEST_ENDING = 4
const LONGEST_NAME = 255

/** Each compressed file has its own name and an ending, and no system keeps longer names. */
function longNames(source: SourceEntries, recipes: ItemRecipes): PlanDocument['problems'] {
  return source.items.flatMap(({ path, kind, index }) => {
    if (recipes.of(index).family !== 'compressed-files') return []
    const length = nameBytes(path.slice(path.lastIndexOf('/') + 1))
    if (kind !== 'file' || length <= LONGEST_NAME - LONGEST_ENDING) return []
    const message = said`the name of ${pathForDisplay(path)} has ${length} bytes, too many for an ending such as .zst; choose 7z or plain files`
    return [{ code: 'name-too-long', message, path, blocking: true }]
  })
}

/** A TorrentZip takes no name that programs read in several ways. */
function unfitNames(source: SourceEntries, recipes: ItemRecipes): PlanDocument['problems'] {
  return source.items.flatMap(({ path, kind, index }) =>
    kind === 'file' && recipes.of(index).family === 'torrentzip' && zipName(path) === null
      ? [{ code: 'name-unsupported', message: whyUnfit(path), path, blocking: true }]
      : [],
  )
}

/** A note for each rule by folder that no file of the source is left for. */
function unusedNotes({ unused }: ItemRecipes): PlanDocument['problems'] {
  return unused.map((glob) => {
    const message = said`the rule ${pathForDisplay(glob)} is for no file of this plan`
    return { code: 'unused-rule', message, blocking: false }
  })
}

/** A note where the set is of images that hardly anything else opens. */
function fewReaders(packed: PackedPlan): PlanDocument['problems'] {
  if (packed.name !== 'udzo' || packed.encryption === 'none') return []
  const message = said`only Stowage and a Mac open encrypted UDZO images, and RESTORE.sh cannot unpack them; choose 7z for other systems`
  return [{ code: 'encrypted-udzo', message, blocking: false }]
}
