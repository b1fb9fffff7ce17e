import { placeKey } from '../../domain/sets/copies/copy'
import type { KnownCopy } from '../../domain/sets/copies/volumeCopies'
import type { Catalog } from '../catalog/catalog'
import type { HeldFiles } from '../catalog/heldFile'
import type { FingerprintKey } from '../fingerprints/fingerprintKey'
import type { PartRows } from '../fingerprints/parquetPart'
import type { Pause } from '../jobs/slowly'
import { heldVolumes } from '../sets/copies/heldVolumes'
import { inFolders } from '../sets/copies/inFolders'
import { type CopyCatalog, knownCopies } from '../sets/copies/knownCopies'
import { type LookedCopy, type Looking, lookAtCopies } from '../sets/copies/lookAtCopies'
import type { CatalogTable } from './catalogTables'
import { exportedDisk } from './diskNames'

export type ExportedCatalog = CopyCatalog & Pick<Catalog, 'heldFiles' | 'surveys' | 'catalogId'>

/** Everything that a catalog knows of copies, as rows; of files the volumes that hold them. */
interface KnownTables {
  readonly copies: number
  readonly goodCopies: number
  readonly places: number
  readonly volumes: number
  readonly held: HeldFiles
  /** The numbers of volumes in the tables, by their places in `held`. */
  readonly heldAs: readonly number[]
  readonly rows: Readonly<Record<Exclude<CatalogTable, 'files' | 'ways'>, PartRows>>
}

/**
 * The volumes and copies that a catalog knows. Good copies are looked at where they can be reached,
 * as before a source is called safe to delete.
 * @param hasPaths false: neither paths nor labels, which are made from names of folders
 * @throws AppError `cancelled`, as `pause` does
 */
export async function knownTables(
  catalog: ExportedCatalog,
  { key, hasPaths }: { readonly key: FingerprintKey | null; readonly hasPaths: boolean },
  {
    nowWallMs,
    looking,
    pause,
  }: { readonly nowWallMs: number; readonly looking: Looking; readonly pause: Pause },
): Promise<KnownTables> {
  const known = knownCopies(catalog, nowWallMs)
  const held = catalog.heldFiles(heldVolumes(known, catalog))
  const good = known.filter(({ state }) => state === 'good')
  const looked = new Map((await lookAtCopies(good, looking)).map((copy, at) => [good[at], copy]))
  await pause()
  const volumes = new Map<string, { readonly number: number; readonly of: KnownCopy }>()
  for (const copy of known) {
    const name = volumeKey(copy)
    if (!volumes.has(name)) volumes.set(name, { number: volumes.size, of: copy })
  }
  const places = new Map<string, { readonly number: number; readonly name: string }>()
  for (const { place } of known) {
    if (place === null || places.has(placeKey(place))) continue
    places.set(placeKey(place), { number: places.size, name: place })
  }
  const counted = known.map((copy) => looked.get(copy) ?? null)
  const isGood = (copy: LookedCopy | null): boolean =>
    copy !== null && (copy.look.found === 'there' || copy.look.found === 'unreachable')
  const inside = await insideSources(catalog, known, pause)
  const disks = counted.flatMap((copy, at) =>
    [...new Set(copy?.disks)].map((disk) => ({ copy: at, disk: exportedDisk(disk, key) })),
  )
  const ofVolumes = [...volumes.values()]
  return {
    copies: known.length,
    goodCopies: counted.filter(isGood).length,
    places: places.size,
    volumes: volumes.size,
    held,
    heldAs: held.volumes.map(({ planId, volume }) => {
      const copy = known.find((one) => one.planId === planId && one.volume === volume)
      return (copy && volumes.get(volumeKey(copy))?.number) ?? -1
    }),
    rows: {
      volumes: [
        Int32Array.from(ofVolumes, ({ number }) => number),
        ofVolumes.map(({ of }) => of.planId ?? ''),
        ofVolumes.map(({ of }) => of.setId ?? ''),
        Int32Array.from(ofVolumes, ({ of }) => of.volume),
        ofVolumes.map(({ of }) => (hasPaths ? of.label : '')),
      ],
      copies: [
        Int32Array.from(known, (_, at) => at),
        Int32Array.from(known, (copy) => volumes.get(volumeKey(copy))?.number ?? -1),
        Int32Array.from(known, ({ copy }) => copy),
        Int32Array.from(known, ({ place }) => places.get(placeKey(place ?? ''))?.number ?? -1),
        known.map(({ medium }) => medium ?? ''),
        known.map(({ state }) => state),
        known.map(({ madeBy }) => madeBy ?? ''),
        timesOf(known, ({ writtenWallMs }) => writtenWallMs),
        timesOf(known, ({ verifiedWallMs }) => verifiedWallMs),
        timesOf(known, ({ verifyByWallMs }) => verifyByWallMs),
        timesOf(known, ({ damagedWallMs }) => damagedWallMs),
        timesOf(known, ({ lostWallMs }) => lostWallMs),
        known.map(({ check }) => check?.by ?? ''),
        known.map(({ check }) => check?.reading ?? ''),
        BigInt64Array.from(known, ({ check }) => BigInt(check?.files ?? -1)),
        counted.map((copy) => copy?.look.found ?? ''),
        known.map(({ path }) => (hasPaths ? (path ?? '') : '')),
      ],
      disks: [Int32Array.from(disks, ({ copy }) => copy), disks.map(({ disk }) => disk)],
      places: [
        Int32Array.from(places.values(), ({ number }) => number),
        [...places.values()].map(({ name }) => name),
      ],
      inside: [inside.map(({ survey }) => survey), Int32Array.from(inside, ({ copy }) => copy)],
    },
  }
}

function volumeKey({ planId, setId, volume }: KnownCopy): string {
  return `${planId ?? setId} ${volume}`
}

function timesOf(
  copies: readonly KnownCopy[],
  timeOf: (copy: KnownCopy) => number | null,
): BigInt64Array<ArrayBuffer> {
  return BigInt64Array.from(copies, (copy) => BigInt(Math.trunc(timeOf(copy) ?? 0)))
}

/** The good copies in the folders of surveys: of these they are no copies. */
async function insideSources(
  catalog: Pick<Catalog, 'surveys'>,
  known: readonly KnownCopy[],
  pause: Pause,
): Promise<{ readonly survey: string; readonly copy: number }[]> {
  const found: { survey: string; copy: number }[] = []
  const bySources = Map.groupBy(catalog.surveys(), ({ roots }) => roots.join('\0'))
  for (const surveys of bySources.values()) {
    const isInside = inFolders(surveys[0]?.roots ?? [])
    for (const [copy, one] of known.entries()) {
      if (one.state !== 'good' || !isInside(one)) continue
      for (const { id } of surveys) found.push({ survey: id, copy })
    }
    await pause()
  }
  return found
}
