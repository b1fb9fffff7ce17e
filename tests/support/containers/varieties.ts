import type { ContainerKind, ContainerWish } from '../../../src/engine/native/containers'

export const PASSWORD = Buffer.from('correct horse')
export const MEBI = 1 << 20

export interface Variety {
  readonly name: string
  readonly kind: Exclude<ContainerKind, 'UDIF'>
  readonly keyBits: 0 | 128 | 256
}

/** Every kind of container that can be written, plain and encrypted. */
export const VARIETIES: readonly Variety[] = (['UDRW', 'UDSP', 'UDSB'] as const).flatMap((kind) =>
  ([0, 128, 256] as const).map((keyBits) => ({
    name: keyBits === 0 ? kind : `${kind} AES-${keyBits}`,
    kind,
    keyBits,
  })),
)

/** What to make; few rounds, for a test derives many keys. */
export function wishOf(variety: Variety, bytes: number, bandBytes?: number): ContainerWish {
  return {
    kind: variety.kind,
    bytes,
    ...(bandBytes !== undefined && variety.kind !== 'UDRW' && { bandBytes }),
    ...(variety.keyBits !== 0 && {
      encryption: { keyBits: variety.keyBits, password: PASSWORD, rounds: 1000 },
    }),
  }
}
