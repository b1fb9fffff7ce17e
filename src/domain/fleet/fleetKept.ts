import { z } from 'zod'
import { keyIdSchema } from '../fingerprints/completeNote'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'
import { FLEET_BY } from './fleetCounts'

const amountSchema = z.object({ files: countSchema, bytes: bytesSchema })
export type Amount = z.infer<typeof amountSchema>

/** Files that can be lost only with so many good copies, and only with so many places. */
const levelSchema = amountSchema.extend({ copies: countSchema, places: countSchema })

const figuresSchema = amountSchema.extend({
  /** Files without SHA-256: where they are is not known. */
  unknown: amountSchema,
  /** All others, those on the fewest copies first; 0 copies: on none that is verified. */
  levels: z.array(levelSchema),
})
export type KeptFigures = z.infer<typeof figuresSchema>

/** How much of surveyed sources is on verified copies, by the catalogs of many machines. */
export const fleetKeptSchema = z.object({
  schema: z.literal('stowage.fleetKept/1'),
  atWallMs: wallMsSchema,
  key: keyIdSchema,
  /** In the order given. */
  sources: z.array(
    figuresSchema.extend({
      survey: idSchema,
      /** The folder of its fingerprints. */
      folder: pathSchema,
      /** The folder in which all of its files are; null where paths were left out. */
      name: z.string().nullable(),
      createdWallMs: wallMsSchema,
      /** The entries that the survey could not read: they are in no figure. */
      skipped: countSchema,
    }),
  ),
  catalogs: z.array(
    z.object({
      catalog: idSchema,
      folder: pathSchema,
      exportedWallMs: wallMsSchema,
      volumes: countSchema,
      copies: countSchema,
      /** Those that count today. */
      goodCopies: countSchema,
    }),
  ),
  all: figuresSchema,
  by: z.enum(FLEET_BY),
  /** By folder or type, the largest first; empty by source. */
  groups: z.array(
    figuresSchema.extend({
      /** The place of its source; null for a type, which may be of any. */
      source: countSchema.nullable(),
      name: z.string(),
    }),
  ),
  moreGroups: countSchema,
  /** The folders with files on no verified copy, those with the most bytes of them first. */
  onNone: z.array(amountSchema.extend({ source: countSchema, folder: z.string() })),
  moreOnNone: countSchema,
})
export type FleetKept = z.infer<typeof fleetKeptSchema>

/** Adds up files by how they are kept. */
export class KeptSums {
  #files = 0
  #bytes = 0
  #unknown: Amount = { files: 0, bytes: 0 }
  readonly #levels = new Map<string, KeptFigures['levels'][number]>()

  /** @param kept null for files without SHA-256 */
  add(kept: { readonly copies: number; readonly places: number } | null, { files, bytes }: Amount): void {
    this.#files += files
    this.#bytes += bytes
    if (kept === null) {
      this.#unknown = { files: this.#unknown.files + files, bytes: this.#unknown.bytes + bytes }
      return
    }
    const { copies, places } = kept
    const key = `${copies} ${places}`
    const known = this.#levels.get(key)
    this.#levels.set(key, {
      copies,
      places,
      files: files + (known?.files ?? 0),
      bytes: bytes + (known?.bytes ?? 0),
    })
  }

  get bytes(): number {
    return this.#bytes
  }

  get figures(): KeptFigures {
    return {
      files: this.#files,
      bytes: this.#bytes,
      unknown: this.#unknown,
      levels: [...this.#levels.values()].toSorted(
        (one, other) => one.copies - other.copies || one.places - other.places,
      ),
    }
  }
}

/** The files of some levels together. */
export function amountOf(
  { levels }: Pick<KeptFigures, 'levels'>,
  isMeant: (level: KeptFigures['levels'][number]) => boolean,
): Amount {
  return levels
    .filter(isMeant)
    .reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), {
      files: 0,
      bytes: 0,
    })
}
