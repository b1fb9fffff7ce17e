/** A label prefix from the first source's name: A-Z, 0-9 and _, as ISO 9660 asks, at most 24 characters. */
export function labelPrefixOf(roots: readonly string[]): string {
  const name = (roots[0] ?? '').replace(/\/+$/, '').split('/').pop() ?? ''
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return plain.slice(0, 24).replace(/_+$/, '') || 'ARCHIVE'
}

/** `PHOTOS_03`: two digits, or as many as the last volume has. */
export function volumeLabel(prefix: string, index: number, volumes: number): string {
  return `${prefix}_${String(index).padStart(Math.max(2, String(volumes).length), '0')}`
}
