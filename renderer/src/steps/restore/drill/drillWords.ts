import { BUILT_COPY } from '../../../../../src/contract/dto/copies'
import type { DrillDocument, DrillPreview } from '../../../../../src/contract/dto/drill'
import { formatRate, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatDay, formatDuration, formatMonth } from '../../../../../src/primitives/spokenTime'
import { t } from '../../../copy'
import { sayRanges } from '../../../format/sayRanges'

type Volumes = DrillDocument['volumes']

/** `PHOTOS_01 to PHOTOS_03 (copy 2 at the bank)`: volumes by the copies that they are. */
export function sayDrilled(volumes: Volumes): string {
  const copies = new Map<string, string[]>()
  for (const volume of volumes) {
    const copy = sayCopy(volume)
    copies.set(copy, [...(copies.get(copy) ?? []), volume.label])
  }
  return [...copies]
    .map(([copy, own]) => {
      const labels = sayRanges(own)
      return copy === '' ? labels : t('drill.labelsOf', { labels, copy })
    })
    .join(', ')
}

/** `copy 2 at the bank`; empty where it is not known which one it is. */
export function sayCopy({ copy, place }: Pick<Volumes[number], 'copy' | 'place'>): string {
  if (copy === null) return ''
  if (copy === BUILT_COPY) return t('drill.copy.built')
  return place === null ? t('drill.copy', { copy }) : t('drill.copy.at', { copy, place })
}

/** True where all volumes lie in the folder of their plan: they would be lost with it. */
export function isOfBuilt(volumes: Volumes): boolean {
  return volumes.length > 0 && volumes.every(({ copy }) => copy === BUILT_COPY)
}

/** The temporary space that is needed, and how much is free. */
export function saySpace({ spaceBytes, freeBytes }: DrillPreview, units: Units): string {
  const needed = formatSize(spaceBytes, units)
  return freeBytes === null
    ? t('drill.space.needed', { needed })
    : t('drill.space.free', { needed, free: formatSize(freeBytes, units) })
}

/** True where the temporary folder has too little space. */
export function isTooFull({ spaceBytes, freeBytes }: DrillPreview): boolean {
  return freeBytes !== null && spaceBytes > freeBytes
}

/** How long the sample took, and how fast that is over the whole drill. */
export function sayTook({ bytes, elapsedMs }: DrillDocument, units: Units): string {
  return t('drill.outcome.took', {
    size: formatSize(bytes, units),
    time: formatDuration(elapsedMs),
    rate: formatRate((bytes * 1000) / Math.max(1, elapsedMs), units),
  })
}

/** How much of the sample may not have been read from the medium; null for none of it. */
export function sayCached({ cachedBytes }: DrillDocument, units: Units): string | null {
  if (cachedBytes === null) return t('drill.cache.unknown')
  return cachedBytes === 0 ? null : t('drill.cache', { size: formatSize(cachedBytes, units) })
}

/** `Restore tried in May 2026: 20 of 20,` and `copy 2 at the bank`, empty where none is known. */
export function sayTried({ startedWallMs, right, files, volumes }: DrillDocument): {
  readonly tried: string
  readonly copies: string
} {
  const copies = [...new Set(volumes.map(sayCopy))].filter((copy) => copy !== '').join(', ')
  const key = copies === '' ? 'drill.tried' : 'drill.tried.from'
  return { tried: t(key, { month: formatMonth(startedWallMs), right, count: files }), copies }
}

/** The same with the day and the volumes, as a sentence. */
export function sayTriedWhole({ startedWallMs, right, files, volumes }: DrillDocument): string {
  return t('drill.tried.whole', {
    day: formatDay(startedWallMs),
    volumes: sayDrilled(volumes),
    right,
    count: files,
  })
}
