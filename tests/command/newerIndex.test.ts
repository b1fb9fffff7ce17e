import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('newer-index')
const volume = (): string => here.at('plan', 'folders', '01')

beforeEach(async () => {
  here.files({ a: 3000, 'b/c': 'words' })
  await here.done('plan', here.source, '--medium', 'folder:1MB', '--out', here.at('plan'))
  await here.done('build', here.at('plan'))
  const [index, sums] = ['INDEX.tsv', 'SHA256SUMS'].map((name) =>
    here.at('plan', 'folders', '01', 'STOWAGE', name),
  )
  if (!index || !sums) throw new Error('no lists')
  const before = readFileSync(index, 'utf8')
  const after = before.replace('# version\t2\n', '# version\t3\n')
  writeFileSync(index, after)
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(sha256(before), sha256(after)))
})

test.each([
  ['verify', () => ['verify', volume()]],
  ['restore', () => ['restore', volume(), '--to', here.at('restored')]],
  ['plan --add-to', () => ['plan', here.source, '--add-to', volume(), '--out', here.at('more')]],
])('a volume with an index of a newer version is refused, not called lost or none: %s', async (_, args) => {
  const { code, stdout, stderr } = await here.run(...args())
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(stderr).toContain('its version 3 is newer than this Stowage reads')
})

test('a plan with an index of a newer version is refused in words that are true', async () => {
  const path = here.at('plan', 'plan.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"indexVersion": 2', '"indexVersion": 3'))
  const { code, stderr } = await here.run('verify', here.at('plan'))
  expect(code).toBe(2)
  expect(stderr).toContain('not a plan that this Stowage reads: indexVersion is of a newer Stowage')
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
