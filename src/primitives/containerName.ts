import { formatBandSize } from './quantity'

/**
 * The parts of a container's name: its kind as Apple calls it, the bits of its AES key, the bytes
 * of its bands.
 */
interface NamedContainer {
  readonly kind: string
  readonly encryption: number | null
  readonly bandSize: number | null
}

/** `UDSB, bands of 8 MiB, AES-256`; nothing where there is no container. */
export function containerName(container: NamedContainer | null | undefined): string {
  if (!container) return ''
  const { kind, encryption, bandSize } = container
  const bands = bandSize === null ? '' : `, bands of ${formatBandSize(bandSize)}`
  return `${kind}${bands}${encryption === null ? '' : `, AES-${encryption}`}`
}
