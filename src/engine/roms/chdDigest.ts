/** The SHA-1 of data and metadata begins here in a CHD's header, by version. */
const SHA1_AT: Readonly<Record<number, number>> = { 3: 80, 4: 48, 5: 84 }
const SHA1_BYTES = 20
/** The part of a CHD that has its header. */
export const CHD_HEAD_BYTES = 124

/**
 * The SHA-1 that a CHD states of its contents, by which DATs name disks; null for what is no CHD
 * or a version without one.
 * @param head the first bytes of the file, `CHD_HEAD_BYTES` where it has so many
 */
export function chdDigest(head: Buffer): string | null {
  if (head.length < CHD_HEAD_BYTES || head.toString('latin1', 0, 8) !== 'MComprHD') return null
  const at = SHA1_AT[head.readUInt32BE(12)]
  return at === undefined ? null : head.toString('hex', at, at + SHA1_BYTES)
}
