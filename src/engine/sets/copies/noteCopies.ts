import type { CopyNoteRequest } from '../../../contract/dto/copies'
import { BUILT_COPY, type CopyNote, type VolumeCopy } from '../../../domain/sets/copies/copy'
import { eventOfNote } from '../../../domain/sets/volumeEvent'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { type CopyCatalog, knownCopies, setOf } from './knownCopies'

type NoteCatalog = CopyCatalog & Pick<Catalog, 'addEvents' | 'planVolumeLabels'>
type Volume = Pick<CopyNote, 'ofSet' | 'volume' | 'label'>

/**
 * Notes where a copy of a volume is, or that it was lost or found. `place` may name a copy that is
 * not known yet: one that a person made of an image or folder.
 * @returns the copies that it is about, as they are then
 * @throws AppError `not-found` for a volume, or a copy that is lost or found, that is not known;
 *   `usage` for a label of several sets
 */
export function noteCopies(catalog: NoteCatalog, request: CopyNoteRequest, nowWallMs: number): VolumeCopy[] {
  const { of, copy, kind, place, medium } = request
  if ((kind === 'place') !== (place !== null)) throw new AppError('usage', said`a place is missing`)
  const before = knownCopies(catalog, nowWallMs)
  const volumes = namedVolumes(catalog, before, of)
  for (const volume of volumes) {
    if (kind === 'place' && copy !== BUILT_COPY) continue
    if (before.some((known) => known.copy === copy && isOf(known, volume))) continue
    const name = copy === BUILT_COPY ? said`no image or folder in its plan's folder` : said`no copy ${copy}`
    throw new AppError(
      'not-found',
      said`cannot note anything of ${volume.label}: the catalog knows ${name} of it`,
    )
  }
  catalog.addEvents(
    volumes.map((volume) => eventOfNote({ ...volume, copy, kind, place, medium, notedWallMs: nowWallMs })),
  )
  return knownCopies(catalog, nowWallMs).filter(
    (known) => known.copy === copy && volumes.some((volume) => isOf(known, volume)),
  )
}

function isOf(copy: VolumeCopy, { ofSet, volume }: Volume): boolean {
  return copy.volume === volume && setOf(copy) === ofSet
}

function namedVolumes(catalog: NoteCatalog, known: readonly VolumeCopy[], of: string): Volume[] {
  const all = new Map<string, Volume>()
  for (const { planId, volume, label } of catalog.planVolumeLabels())
    all.set(`${planId} ${volume}`, { ofSet: planId, volume, label })
  for (const copy of known) {
    const ofSet = setOf(copy)
    all.set(`${ofSet} ${copy.volume}`, { ofSet, volume: copy.volume, label: copy.label })
  }
  const volumes = [...all.values()]
  const [set, only] = of.split(':')
  const ofPlan = volumes.filter(({ ofSet, label }) => ofSet === set && label === (only ?? label))
  const labelled = ofPlan.length > 0 ? ofPlan : volumes.filter(({ label }) => label === of)
  if (labelled.length === 0) throw new AppError('not-found', said`no volume ${of} in the catalog`)
  const sets = new Set(labelled.map(({ ofSet }) => ofSet))
  if (sets.size === 1) return labelled
  const [one = '', other = ''] = sets
  throw new AppError(
    'usage',
    said`${of} is a volume of ${sets.size} sets, ${one} and ${other} among them: give PLAN:LABEL`,
  )
}
