import { pinContent } from '../../src/engine/options/builders/torrentZip/pinContent.ts'

/** A made-up archive: names with contents from a seed. */
export interface TorrentZipCase {
  readonly title: string
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[]
}

/** Bytes of which a share repeats what came before. */
function made(seed: number, length: number, repeats: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed * 2_654_435_761 + 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let at = 0; at < length; ) {
    const run = 4 + next(60)
    const back = 1 + next(Math.max(1, Math.min(at, 60_000)))
    const isCopy = at > 100 && next(100) < repeats
    for (let each = 0; each < run && at < length; each++, at++)
      bytes[at] = isCopy ? (bytes[at - back] as number) : next(256)
  }
  return bytes
}

const file = (name: string, content: Uint8Array) => ({ name, content })

/** Archives of which igir wrote what `tests/fixtures/torrentZips.json` says. */
export const TORRENT_ZIP_CASES: readonly TorrentZipCase[] = [
  { title: 'one file', files: [file('game.rom', made(1, 100_000, 60))] },
  {
    title: 'names in no order, in folders, with capitals',
    files: ['b.rom', 'A.rom', 'sub/Z.bin', 'sub/a.bin', 'Sub2/_x', 'a-1', 'a_1', 'A.bin'].map((name, at) =>
      file(name, made(at + 10, 1000 * at, 50)),
    ),
  },
  {
    title: 'names in code page 437 and in UTF-8',
    files: ['Pokémon (ß).gb', 'αβ.bin', '日本.bin', '½ price ±.bin', 'plain.bin', 'Łódź.bin'].map(
      (name, at) => file(name, made(at + 30, 3000, 40)),
    ),
  },
  {
    title: 'nothing, noise, zeros and text',
    files: [
      file('empty.bin', new Uint8Array(0)),
      file('noise.bin', made(50, 300_000, 0)),
      file('zeros.bin', new Uint8Array(500_000)),
      file('one.bin', Uint8Array.of(7)),
      file('text.txt', Buffer.from('one line after another\n'.repeat(5000))),
    ],
  },
  { title: 'longer than the buffers', files: [file('disc.bin', made(70, 3_000_000, 70))] },
  { title: 'the trial of zlib', files: [file('trial.bin', pinContent())] },
  { title: 'no file', files: [] },
]
