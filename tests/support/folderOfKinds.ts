import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Compression } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'

/** Makes a folder of small settings, of pictures that do not compress and of one large log. */
export function writeFolderOfKinds(folder: string): void {
  const random = seededRandom(40)
  mkdirSync(folder)
  for (let index = 0; index < 300; index++) {
    const lines = Array.from(
      { length: 1 + random.below(400) },
      () => `value ${random.below(5000)} = ${random.below(97)} # number ${random.below(30)}`,
    )
    writeFileSync(join(folder, `settings-${index}.ini`), lines.join('\n'))
  }
  for (let index = 0; index < 20; index++) {
    const body = new Uint8Array(20_000 + random.below(40_000))
    random.fillBytes(body)
    writeFileSync(join(folder, `picture-${index}.jpg`), body)
  }
  const large = Array.from({ length: 160_000 }, () => `line ${random.below(9000)} of ${random.below(70)}\n`)
  writeFileSync(join(folder, 'large.log'), large.join(''))
}

/** The forecast of a codec for whole files. */
export function codecRow(compression: readonly Compression[], codec: string): Compression {
  const found = compression.find((one) => one.codec === codec && one.recordSize === null)
  if (!found) throw new Error(`no forecast of ${codec}`)
  return found
}
