import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SplitWholes } from '../../../../../src/engine/sets/verify/splitWholes'
import type { PlannedVolume } from '../../../../../src/engine/sets/volume/planned/plannedVolume'
import { temporaryFolder } from '../../../../support/archiveRun'

const folder = temporaryFolder('wholes')
afterAll(() => folder.dispose())

test.each([
  ['the digest of the whole', 'one two', []],
  ['another digest', 'two one', ['big']],
])('parts that are right and joined have %s', async (_, whole, failed) => {
  const wholes = new SplitWholes()
  for (const [at, content] of [' two', 'one'].entries()) {
    const path = `part ${at}`
    const file = join(folder.path, path)
    writeFileSync(file, content)
    const entry = {
      kind: 'part',
      path,
      part: 2 - at,
      parts: 2,
      wholePath: 'big',
      wholeSha256: hash('sha256', whole),
    }
    const places = new Map([[path, { file, offset: 0, bytes: content.length }]])
    wholes.add({ entries: [entry] } as unknown as PlannedVolume, places)
  }
  const differences = await wholes.differences(new AbortController().signal)
  expect(differences.map(({ path }) => path)).toEqual(failed)
})
