import { describe, expect, it } from 'vitest'
import { jsonForDisplay, pathForDisplay, pathFromBytes, pathToBytes } from '../../../src/primitives/pathText'
import { seededRandom } from '../../../src/primitives/seededRandom'

describe('names as text without loss', () => {
  it('keeps valid UTF-8 as itself', () => {
    for (const name of ['plain', 'Überfluß', '写真', '🎞 reel', '\ufeffmark', 'a\nb', '']) {
      expect(pathFromBytes(Buffer.from(name))).toBe(name)
      expect(Buffer.from(pathToBytes(name)).toString()).toBe(name)
    }
  })

  it.each([
    ['a lone continuation byte', [0x61, 0x80, 0x62]],
    ['a cut sequence at the end', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong three-byte form', [0xe0, 0x80, 0x80]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an encoded low surrogate', [0xed, 0xb2, 0x80]],
    ['a point past the last plane', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1', [...Buffer.from('caf\u00e9', 'latin1')]],
  ])('turns %s into text and back', (_what, bytes) => {
    const text = pathFromBytes(Uint8Array.from(bytes))
    expect([...pathToBytes(text)]).toEqual(bytes)
  })

  it('brings 20,000 random byte strings back unchanged', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 20_000; round++) {
      const name = new Uint8Array(random.below(12))
      random.fillBytes(name)
      // Half of them from the bytes that sequences are made of, so that valid and cut sequences both occur.
      if (random.below(2) === 0) name.set([0xe2, 0x82, 0xac, 0xf0, 0x41].slice(random.below(5), name.length))
      expect(Buffer.from(pathToBytes(pathFromBytes(name))).equals(name)).toBe(true)
    }
  })

  it('encodes an undecodable byte as Python does (surrogateescape)', () => {
    expect(pathFromBytes(Uint8Array.of(0xff))).toBe('\udcff')
    expect(JSON.stringify(pathFromBytes(Uint8Array.of(0xff)))).toBe('"\\udcff"')
  })

  it('shows every name on one line', () => {
    expect(pathForDisplay('a\nb\u007f\udcff\u202e')).toBe('a␊b␡\ufffd\ufffd')
  })

  it('shows no character that a terminal obeys or that changes the direction of text', () => {
    for (let point = 0; point < 0xffff; point++) {
      const shown = pathForDisplay(`a${String.fromCharCode(point)}b`)
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      expect(shown.startsWith('a') && shown.endsWith('b')).toBe(true)
    }
    expect(pathForDisplay('👩\u200d🔬 résumé')).toBe('👩\u200d🔬 résumé')
  })

  it('writes JSON without such characters, and the same text', () => {
    const text = Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point)).join('')
    const json = jsonForDisplay({ text })
    expect(json).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
    expect(JSON.parse(json)).toEqual({ text })
  })
})
