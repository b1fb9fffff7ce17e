/** Characters of code page 437 from byte 0x80 on, by Unicode's table of IBM's code pages. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const BYTES = new Map(Array.from(UPPER, (character, at) => [character, 0x80 + at] as const))

/** The bytes of a name in a zip. */
export interface ZipName {
  readonly bytes: Buffer
  /** True where code page 437 lacks a character of it. */
  readonly isUtf8: boolean
}

/**
 * A name as TorrentZip has it: in code page 437 where that has all of its characters, else in
 * UTF-8. Null for a name that no TorrentZip may hold or that programs read in several ways: bytes
 * that are not Unicode, control characters, a backslash, or more than 65,535 bytes.
 */
export function zipName(name: string): ZipName | null {
  if (/[\p{Cc}\ud800-\udfff\\]/u.test(name)) return null
  const characters = Array.from(name)
  const codes = characters.map((character) => BYTES.get(character) ?? character.charCodeAt(0))
  const isUtf8 = codes.some((code, at) => code > 0x7f && !BYTES.has(characters[at] as string))
  const bytes = isUtf8 ? Buffer.from(name) : Buffer.from(codes)
  return bytes.length > 0xffff ? null : { bytes, isUtf8 }
}

/**
 * The order of names in a TorrentZip: by UTF-16 code units, with A to Z as a to z; names that
 * differ in that alone as they are written.
 */
export function inZipOrder(one: string, other: string): number {
  return compared(lowered(one), lowered(other)) || compared(one, other)
}

function lowered(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function compared(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
