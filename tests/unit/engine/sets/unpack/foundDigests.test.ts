import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { digestsOf } from '../../../../../src/engine/sets/unpack/foundDigests'
import type { FoundMember } from '../../../../../src/engine/sets/unpack/unpacker'
import { temporaryFolder } from '../../../../support/archiveRun'

const folder = temporaryFolder('digests')
afterAll(() => folder.dispose())

test('what cannot be read has an error instead of a digest, and the others have theirs', async () => {
  const there = join(folder.path, 'there')
  const absent = join(folder.path, 'absent')
  writeFileSync(there, 'content')
  const placed = (file: string): FoundMember => ({
    bytes: 7,
    sha256: null,
    content: { file, offset: 0, bytes: 7 },
  })
  const found = new Map([
    ['a', placed(absent)],
    ['b', placed(there)],
  ])
  const digests = await digestsOf(found, new AbortController().signal, () => undefined)
  expect(digests.get('a')).toMatchObject({ name: 'AppError', path: absent })
  expect(digests.get('b')).toBe(hash('sha256', 'content'))
})
