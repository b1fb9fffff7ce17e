/**
 * File names are bytes on Unix and need not be UTF-8. In TypeScript and JSON Stowage carries them
 * as strings without loss: valid UTF-8 as itself, every other byte 0xNN as the lone surrogate
 * U+DCNN. This is Python's `surrogateescape` (PEP 383), so `os.fsencode` reads our JSON too.
 */

/** The string for a name's bytes. Any byte sequence is accepted and can be turned back exactly. */
export function pathFromBytes(source: Uint8Array): string {
  const decoded = decodeUtf8(source, 0, source.length)
  // The decoder puts this character for what is not UTF-8.
  if (!decoded.includes('\ufffd')) return decoded
  let text = ''
  let plainStart = 0
  let index = 0
  while (index < source.length) {
    const length = utf8SequenceLength(source, index)
    if (length > 0) {
      index += length
      continue
    }
    text += decodeUtf8(source, plainStart, index) + String.fromCharCode(0xdc00 + (source[index] as number))
    index += 1
    plainStart = index
  }
  return text + decodeUtf8(source, plainStart, index)
}

/** Bytes are put together here and copied: much faster than growing an array. */
const scratch = new Uint8Array(1 << 18)

/** The bytes of a name made by `pathFromBytes` or typed by a person. */
export function pathToBytes(text: string): Uint8Array {
  const most = 3 * text.length
  const target = most <= scratch.length ? scratch : new Uint8Array(most)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      target[length++] = unit
      continue
    }
    const point = text.codePointAt(at) as number
    if (point >= 0xdc80 && point <= 0xdcff) {
      target[length++] = point - 0xdc00
      continue
    }
    if (point < 0x800) target[length++] = 0xc0 | (point >> 6)
    else {
      if (point < 0x10000) target[length++] = 0xe0 | (point >> 12)
      else {
        target[length++] = 0xf0 | (point >> 18)
        target[length++] = 0x80 | ((point >> 12) & 63)
        at += 1
      }
      target[length++] = 0x80 | ((point >> 6) & 63)
    }
    target[length++] = 0x80 | (point & 63)
  }
  return target.slice(0, length)
}

/**
 * DEL and C1, marks and overrides of direction, separators of lines, marks of annotations; C0 is
 * handled elsewhere.
 */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/g

/**
 * The name as a person may safely see it, in the window and on a terminal: one line; control
 * characters, those that change the direction of text, line separators and undecodable bytes made
 * visible.
 */
export function pathForDisplay(text: string): string {
  let shown = ''
  for (const character of text) {
    const point = character.codePointAt(0) as number
    if (point < 0x20) shown += String.fromCodePoint(0x2400 + point)
    else if (point === 0x7f) shown += '\u2421'
    else if (point >= 0xd800 && point <= 0xdfff) shown += '\ufffd'
    else shown += character
  }
  return shown.replaceAll(CONTROLS, '\ufffd')
}

/**
 * JSON on one line, in which the same characters are escaped: safe on a terminal, and nothing is
 * lost.
 */
export function jsonForDisplay(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function utf8SequenceLength(source: Uint8Array, at: number): number {
  const first = source[at] as number
  if (first < 0x80) return 1
  const length =
    first >= 0xc2 && first <= 0xdf
      ? 2
      : first >= 0xe0 && first <= 0xef
        ? 3
        : first >= 0xf0 && first <= 0xf4
          ? 4
          : 0
  if (length === 0 || at + length > source.length) return 0
  const second = source[at + 1] as number
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let k = 2; k < length; k++) {
    const next = source[at + k] as number
    if (next < 0x80 || next > 0xbf) return 0
  }
  return length
}

declare const TextDecoder: {
  new (label: string, options: { ignoreBOM: boolean }): { decode(source: Uint8Array): string }
}
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function decodeUtf8(source: Uint8Array, from: number, to: number): string {
  return from === to ? '' : decoder.decode(source.subarray(from, to))
}

/** The bytes of a character, each as `\xHH`. */
export function hexBytes(character: string): string {
  return [...pathToBytes(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

/**
 * A path as names are compared: in Unicode's normal form C, since a Mac writes letters with accents
 * in two characters and people type one. Bytes that are not UTF-8 stay as they are.
 */
export function comparablePath(path: string): string {
  return /[^\0-\x7f]/.test(path) ? path.normalize('NFC') : path
}
