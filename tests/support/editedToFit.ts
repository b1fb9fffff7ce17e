import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { openDamagedImage } from '../../src/engine/sets/volume/image/damagedImage'

/**
 * Changes a file on an image, and the lists on it so that they agree with the changed file.
 * @param path the file, of 32 bytes or more
 */
export async function editToFit(image: string, path: string): Promise<void> {
  const files = await openDamagedImage(image)
  const bytes = readFileSync(image)
  const placeOf = async (name: string): Promise<{ from: number; to: number } | null> => {
    const place = await files.placeOf(name)
    return place && { from: place.offset, to: place.offset + place.bytes }
  }
  const content = await placeOf(path)
  if (content === null) throw new Error(`${path} is not on ${image}`)
  const lists = await Promise.all(['STOWAGE/INDEX.tsv', 'STOWAGE/IMAGE.tsv'].map(placeOf))
  const places = [content, ...lists.flatMap((place) => place ?? [])]
  const digest = ({ from, to }: { from: number; to: number }): string =>
    createHash('sha256').update(bytes.subarray(from, to)).digest('hex')
  const replace = (before: string, after: string): void => {
    for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at)) bytes.write(after, at)
  }
  const before = places.map(digest)
  bytes.fill(0xa5, content.from, content.from + 32)
  for (const [at, place] of places.entries())
    if (before[at] !== digest(place)) replace(before[at] as string, digest(place))
  writeFileSync(image, bytes)
}
