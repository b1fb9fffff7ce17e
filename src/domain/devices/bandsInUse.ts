/** The part of a listed measurement that tells of bands in use. */
interface MeasuredBands {
  readonly id: string
  readonly deviceKey: string
  readonly plausible: boolean
  readonly containers?:
    | readonly {
        readonly kind: string
        /** Bits of the key. */
        readonly encryption: number | null
        readonly bandSize: number | null
        readonly bandsInUse?: { readonly full: number; readonly left: number } | undefined
      }[]
    | undefined
}

/** Bands of a sparse bundle that were in use when it was full, and after most was deleted. */
export interface BandsInUse {
  readonly measurementId: string
  readonly bandSize: number
  readonly full: number
  readonly left: number
}

/**
 * The newest measurement on a device of a sparse bundle that was filled and mostly deleted.
 * @param measurements newest first
 * @returns null where none was measured there with this encryption
 */
export function bandsInUse(
  measurements: readonly MeasuredBands[],
  deviceKey: string,
  encryption: number | null,
): BandsInUse | null {
  for (const { id, deviceKey: key, plausible, containers = [] } of measurements) {
    if (!plausible || key !== deviceKey) continue
    const found = containers.find((each) => each.kind === 'UDSB' && each.encryption === encryption)
    if (found?.bandsInUse && found.bandSize !== null)
      return { measurementId: id, bandSize: found.bandSize, ...found.bandsInUse }
  }
  return null
}
