import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/primitives/seededRandom'
import { folderForManyFiles } from './temporaryFolder'

const FILES_A_FOLDER = 100
const EXTENSIONS = 'txt jpg js ts c h md json png html css py o so gz xml svg mp3 pdf zip'.split(' ')

/** A folder with small files of twenty types, some of them alike, 100 in each of its folders. */
export async function manySmallFiles(files: number): Promise<string> {
  const folder = await folderForManyFiles()
  const random = seededRandom(20)
  const noise = Buffer.alloc(64 * 1024)
  random.fillBytes(noise)
  const text = Buffer.from('the same words in one line after another\n'.repeat(1600))
  for (let at = 0; at < files / FILES_A_FOLDER; at++) {
    const inner = join(folder, `d${at % 20}`, `e${at}`)
    mkdirSync(inner, { recursive: true })
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const from = 512 * random.below(100)
      const content = (random.below(2) === 0 ? noise : text).subarray(from, from + random.below(6000))
      writeFileSync(join(inner, `f${file}.${EXTENSIONS[random.below(EXTENSIONS.length)]}`), content)
    }
  }
  return folder
}
