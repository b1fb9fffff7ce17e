import { expect, it } from 'vitest'
import type { VerifiedFile } from '../../../../../src/engine/catalog/verifiedFile'
import { SourceContents } from '../../../../../src/engine/survey/kept/sourceContents'

const held = (volumes: readonly number[], mtimeNs: string | null = null): VerifiedFile => ({
  sha256: 'AB',
  bytes: 5,
  mtimeNs,
  source: Buffer.from('/archive/2003/a.jpg'),
  volumes,
})

async function holders(contents: SourceContents, number: number, files: readonly VerifiedFile[]) {
  await contents.addVerified({ volumes: [], files: () => [files].values() }, () => Promise.resolve())
  return contents.holdersOf(number)
}

it('a content is on every verified volume that holds it, each named once', async () => {
  const contents = new SourceContents()
  const number = contents.numberOf('AB', { bytes: 5, mtimeNs: '7' }, 'a.jpg')
  expect(await holders(contents, number, [held([0, 1]), held([1, 2]), held([3]), held([2])])).toEqual([
    0, 1, 2, 3,
  ])
})

it.each([
  ['the same name, size and time', '7', [0], '7'],
  ['a time that an older version wrote modulo 2^64', String(2n ** 64n - 7n), [0], '-7'],
  ['another time', '8', [], '7'],
] as const)('a file without SHA-256 is known by %s', async (_name, mtimeNs, expected, own) => {
  const contents = new SourceContents()
  const number = contents.numberOf(null, { bytes: 5, mtimeNs: own }, 'a.jpg')
  expect(await holders(contents, number, [held([0], mtimeNs)])).toEqual(expected)
})
