import { createCipheriv } from 'node:crypto'
import { closeSync, copyFileSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../../src/primitives/seededRandom'
import { madeOnce } from './sets'

const MIB = 1024 * 1024
const PIECE = 4 * MIB

/** Sets of some 10 GB, as a look of a minute is made for; nothing of a forecast was set on them. */
const LARGE_SETS: Readonly<Record<string, (folder: string) => void>> = {
  shoots: makeShoots,
  productions: makeProductions,
}

/** The folder of one of them below `root`, made if it is not there whole. */
export function largeFolder(root: string, name: string): string {
  return madeOnce(root, name, LARGE_SETS)
}

/** Bytes without pattern, a gigabyte a second: AES in counter mode over zeros. */
function noiseOf(random: SeededRandom): (bytes: number) => Buffer {
  const key = new Uint8Array(16)
  random.fillBytes(key)
  const cipher = createCipheriv('aes-128-ctr', key, new Uint8Array(16))
  const zeros = Buffer.alloc(PIECE)
  return (bytes) => cipher.update(zeros.subarray(0, bytes))
}

/** Writes a file by pieces, each made from its place. */
function writePieces(file: string, bytes: number, pieceAt: (at: number, length: number) => Uint8Array): void {
  const handle = openSync(file, 'w')
  for (let at = 0; at < bytes; at += PIECE) {
    const piece = pieceAt(at, Math.min(PIECE, bytes - at))
    for (let done = 0; done < piece.length; ) done += writeSync(handle, piece, done)
  }
  closeSync(handle)
}

/**
 * A photographer's years: unpacked sensor data of 14 bits in 16, brighter and noisier by the shoot,
 * packed pictures, a sidecar each; some shoots are there twice.
 */
function makeShoots(folder: string): void {
  const random = seededRandom(71)
  const noise = noiseOf(random)
  for (let shoot = 0; shoot < 40; shoot++) {
    const year = join(folder, `${2009 + (shoot >> 2)}`)
    const place = join(year, `shoot-${String(shoot).padStart(2, '0')}`)
    mkdirSync(place, { recursive: true })
    const level = 400 + 6000 * random.unit()
    const spread = Math.floor(3 * random.unit())
    for (let frame = 0; frame < 10; frame++) {
      const name = join(place, `DSC_${String(shoot * 40 + frame).padStart(5, '0')}`)
      const rawBytes = Math.round((20 + 6 * random.unit()) * MIB) & ~1
      const wave = 500 + 3000 * random.unit()
      writePieces(`${name}.RAW`, rawBytes, (at, length) => {
        const grain = noise(length)
        const samples = new Uint16Array(length >> 1)
        for (let i = 0; i < samples.length; i++) {
          const x = (at >> 1) + i
          const shade = Math.sin(x / wave) * Math.sin(x / 6000 / wave) * level * 0.4
          const sum = (grain[i * 2] as number) + (grain[i * 2 + 1] as number) - 255
          samples[i] = Math.max(0, level + shade + (sum >> (4 - spread)))
        }
        return new Uint8Array(samples.buffer)
      })
      writePieces(`${name}.JPG`, Math.round((4 + 5 * random.unit()) * MIB), (_, length) => noise(length))
      const ratings = Array.from({ length: 40 }, (_, at) => `  crs:Setting${at}="${random.below(200)}"\n`)
      writePieces(`${name}.xmp`, 1, () => Buffer.from(`<x:xmpmeta>\n${ratings.join('')}</x:xmpmeta>\n`))
      if (shoot % 9 === 4) {
        const second = join(folder, 'to sort', `shoot ${shoot}`)
        mkdirSync(second, { recursive: true })
        for (const kind of ['RAW', 'JPG', 'xmp'])
          copyFileSync(`${name}.${kind}`, join(second, `DSC_${shoot * 40 + frame}.${kind}`))
      }
    }
  }
}

/**
 * A studio's productions: sounds of 24 bits with silence, packed films, dumps of tables, projects
 * in XML, and images of disks with holes, text and packed parts.
 */
function makeProductions(folder: string): void {
  const random = seededRandom(72)
  const noise = noiseOf(random)
  for (let production = 0; production < 6; production++) {
    const place = join(folder, `production ${production + 1}`)
    mkdirSync(place)
    const words = Array.from({ length: 3000 }, () =>
      random
        .uint32()
        .toString(36)
        .slice(0, 2 + random.below(6)),
    )
    const line = (): string =>
      `${random.below(1_000_000)}\t${words[random.below(3000)]} ${words[random.below(90)]}\t${random.unit().toFixed(4)}\t${words[random.below(3000)]}\n`
    const text = (length: number): Uint8Array => {
      let made = ''
      while (made.length < length) made += line()
      return Buffer.from(made.slice(0, length), 'latin1')
    }
    for (let take = 0; take < 12; take++) {
      const loud = 1 << (8 + random.below(12))
      writePieces(
        join(place, `take ${take}.wav`),
        Math.round((8 + 90 * random.unit()) * MIB),
        (at, length) => {
          const out = noise(length)
          const isSilent = Math.floor(at / PIECE) % 5 === 4
          for (let i = 0; i + 2 < length; i += 3) {
            const tone = Math.sin((at + i) / 130) * loud + Math.sin((at + i) / 47) * loud * 0.3
            const value = isSilent ? 0 : tone + ((out[i] as number) - 128) * (loud >> 9)
            out[i] = value & 255
            out[i + 1] = (value >> 8) & 255
            out[i + 2] = (value >> 16) & 255
          }
          return out
        },
      )
    }
    writePieces(join(place, 'film.mkv'), Math.round((200 + 500 * random.unit()) * MIB), (_, n) => noise(n))
    writePieces(join(place, 'assets.sql'), Math.round((30 + 250 * random.unit()) * MIB), (_, n) => text(n))
    for (let saved = 0; saved < 30; saved++)
      writePieces(join(place, `project ${saved}.xml`), Math.round(4 * MIB * random.unit()), (_, n) => text(n))
    const image = join(place, 'station.img')
    const handle = openSync(image, 'w')
    const imageBytes = Math.round((300 + 600 * random.unit()) * MIB)
    ftruncateSync(handle, imageBytes)
    for (let at = 0; at + PIECE <= imageBytes; at += PIECE) {
      const kind = random.below(4)
      if (kind === 0) continue
      writeSync(handle, kind === 1 ? text(PIECE) : noise(PIECE), 0, kind === 3 ? PIECE >> 1 : PIECE, at)
    }
    closeSync(handle)
  }
}
