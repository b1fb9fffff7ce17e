/**
 * Length in bytes of a name in lossless text form, without making the bytes: an escaped byte
 * (U+DC80 to U+DCFF) is one byte, a surrogate pair four.
 */
export function nameBytes(text: string): number {
  let total = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) total += 1
    else if (unit < 0x800) total += 2
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      total += 4
      at += 1
    } else if (unit >= 0xdc80 && unit <= 0xdcff) total += 1
    else total += 3
  }
  return total
}

/** The longest beginning of the name that has at most `limit` bytes and cuts no character. */
export function cutName(text: string, limit: number): string {
  let cut = ''
  let total = 0
  for (const character of text) {
    total += nameBytes(character)
    if (total > limit) break
    cut += character
  }
  return cut
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
