import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexTsv } from '../../../../../../src/engine/sets/volume/lists/indexTsv'
import { sha256Line } from '../../../../../../src/engine/sets/volume/lists/sha256Sums'
import { type ListTrust, openSet } from '../../../../../../src/engine/sets/volume/open/openSet'
import { temporaryFolder } from '../../../../../support/surveyedFolder'
import { sha256 } from '../../../../../support/volumeFolders'

/** A volume, as a folder, of a plan that adds to others: the last of these. */
function volumeOf(...planIds: readonly string[]): string {
  const path = temporaryFolder()
  const generations = planIds.map((planId, at) => ({
    generation: at + 1,
    planId,
    setId: at + 1 < planIds.length ? sha256(Buffer.from(planId)) : '',
    createdWallMs: at,
  }))
  const history = { generation: planIds.length, generations, lines: [] }
  const volumes = [{ index: 1, label: 'A_01', entries: [] }]
  const index = Buffer.from([...indexTsv(volumes, { history })].join(''))
  mkdirSync(join(path, 'STOWAGE'))
  writeFileSync(join(path, 'STOWAGE/INDEX.tsv'), index)
  writeFileSync(join(path, 'STOWAGE/SHA256SUMS'), sha256Line(sha256(index), 'STOWAGE/INDEX.tsv'))
  return path
}

test('of two plans that add to the same one, the volume of the second given is named as foreign', async () => {
  const given = [volumeOf('p-1', 'p-2'), volumeOf('p-1', 'p-3')]
  const trust: ListTrust = { mend: (lists) => Promise.resolve(lists), disproof: () => Promise.resolve(null) }
  for (const [first = '', second = ''] of [given, given.toReversed()])
    await expect(openSet([first, second], trust)).rejects.toMatchObject({
      code: 'refused',
      path: second,
      message: expect.stringContaining(`cannot restore ${first} and ${second} together`),
    })
})
