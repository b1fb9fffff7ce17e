import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { equalFiles } from '../../../../../src/engine/options/builders/equalFiles'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../../../support/temporaryFolder'

const never = new AbortController().signal

it.each([100, 16_384, 16_385, 3_000_000])(
  'finds what is equal among files of %i bytes, wherever others differ',
  async (length) => {
    const folder = await temporaryFolder()
    const content = Buffer.alloc(length)
    seededRandom(length).fillBytes(content)
    const differing = (at: number): Buffer => {
      const other = Buffer.from(content)
      other[at] = (other[at] as number) ^ 1
      return other
    }
    const contents = [content, differing(0), content, differing(length - 1), differing(0), content]
    const files = contents.map((bytes, index) => {
      const source = join(folder, String(index))
      writeFileSync(source, bytes)
      return { source, bytes: length, digest: null }
    })
    const empty = ['a', 'b'].map((name) => ({ source: join(folder, name), bytes: 0, digest: null }))
    const equal = await equalFiles([...files, ...empty], never)
    expect([...equal].toSorted(([one], [other]) => one - other)).toEqual([
      [2, 0],
      [4, 1],
      [5, 0],
    ])
  },
)

it('believes digests where all of a size have one, and reads nothing then', async () => {
  const of = (digest: string) => ({ source: '/nowhere/file', bytes: 50_000, digest })
  expect([...(await equalFiles([of('one'), of('two'), of('one')], never))]).toEqual([[2, 0]])
})

it('says which file is gone or is shorter than it was', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'here')
  writeFileSync(source, Buffer.alloc(40_000))
  const here = { source, bytes: 50_000, digest: null }
  const gone = { source: join(folder, 'gone'), bytes: 50_000, digest: null }
  await expect(equalFiles([here, gone], never)).rejects.toMatchObject({ code: 'vanished' })
  await expect(equalFiles([here, here], never)).rejects.toMatchObject({ code: 'changed' })
})
