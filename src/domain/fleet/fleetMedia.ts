import { z } from 'zod'
import type { Medium } from '../media/medium'
import { type Price, priceOfMedium, priceSchema, times } from '../media/price'
import { bytesSchema, countSchema, mediumIdSchema } from '../scalars'

/** Bytes with their range. */
interface Figure {
  readonly bytes: number
  readonly low: number
  readonly high: number
}

const spanSchema = z.object({ value: countSchema, low: countSchema, high: countSchema })

/** One medium, with how much of it the contents of all sources fill. */
export const fleetMediumSchema = z.object({
  medium: mediumIdSchema,
  name: z.string(),
  capacityBytes: bytesSchema,
  price: priceSchema.nullable(),
  stored: z.array(
    z.object({
      /** The way of cutting whose unique bytes are stored; null for all files as they are. */
      scheme: z.string().nullable(),
      /** Volumes that are full: file systems and protection come on top. */
      volumes: spanSchema,
      cost: z.object({ low: z.number(), high: z.number() }).nullable(),
    }),
  ),
})
export type FleetMedium = z.infer<typeof fleetMediumSchema>

/** The volumes of each medium that all files fill, and the unique bytes of each way of cutting. */
export function fleetMedia(
  totalBytes: number,
  schemes: readonly { readonly name: string; readonly unique: Figure }[],
  media: readonly Medium[],
  prices: readonly Price[],
): FleetMedium[] {
  const all: Figure = { bytes: totalBytes, low: totalBytes, high: totalBytes }
  return media.map(({ id, name, capacityBytes }) => {
    const price = priceOfMedium(prices, id)
    const volumesOf = (bytes: number): number => Math.ceil(bytes / capacityBytes)
    const stored = (scheme: string | null, { bytes, low, high }: Figure): FleetMedium['stored'][number] => {
      const volumes = { value: volumesOf(bytes), low: volumesOf(low), high: volumesOf(high) }
      const cost = price && { low: times(price, volumes.low), high: times(price, volumes.high) }
      return { scheme, volumes, cost }
    }
    return {
      medium: id,
      name,
      capacityBytes,
      price,
      stored: [stored(null, all), ...schemes.map(({ name: scheme, unique }) => stored(scheme, unique))],
    }
  })
}
