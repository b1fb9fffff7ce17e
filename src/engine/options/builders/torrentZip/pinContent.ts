/**
 * 640 KiB on which versions of deflate part: runs of zeros, noise that is stored, words that repeat
 * near and far with matches that are put off for longer ones, and bytes of a narrow range.
 */
export function pinContent(): Uint8Array {
  const content = new Uint8Array(640 * 1024)
  let state = 0x2545f491
  const next = (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  for (let at = 96 * 1024; at < content.length; ) {
    const part = Math.floor(at / (96 * 1024))
    if (part === 1) content[at++] = next(256)
    else if (part === 2) content[at++] = 64 + next(8)
    else {
      const length = 3 + next(part === 3 ? 12 : 300)
      const back = 1 + next(part === 4 ? 40_000 : 4000)
      const isNew = next(3) === 0
      for (let each = 0; each < length && at < content.length; each++, at++)
        content[at] = isNew ? 97 + next(26) : (content[at - back] as number)
    }
  }
  return content
}
