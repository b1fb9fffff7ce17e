import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createContainer, openContainer } from '../../../src/engine/native/containers'
import { MEBI } from '../../support/containers/varieties'
import { temporaryFolder } from '../../support/temporaryFolder'

async function problemsOf(path: string): Promise<readonly string[]> {
  const disk = await openContainer(path)
  return (await disk.verify().finally(() => disk.close())).problems
}

it('a bundle whose resizing was killed between its two descriptions is mended by the next change', async () => {
  const path = join(await temporaryFolder(), 'a.sparsebundle')
  await createContainer(path, { kind: 'UDSB', bytes: 3 * MEBI, bandBytes: MEBI })
  const before = readFileSync(join(path, 'Info.bckup'))
  const growing = await openContainer(path, { writable: true })
  await growing.resize(5 * MEBI).finally(() => growing.close())
  // As a kill leaves it: the new size in the first description, the old one in its copy, and the copy's successor half written.
  writeFileSync(join(path, 'Info.bckup'), before)
  writeFileSync(join(path, 'Info.bckup.partial'), before.subarray(0, 100))
  expect(await problemsOf(path)).toEqual([expect.stringMatching(/^Info\.bckup differs .* was interrupted/)])

  const disk = await openContainer(path, { writable: true })
  expect((await disk.info().finally(() => disk.close())).bytes).toBe(5 * MEBI)
  expect(await problemsOf(path)).toEqual([])
  expect(readdirSync(path).toSorted()).toEqual(['Info.bckup', 'Info.plist', 'bands', 'token'])
  expect(readFileSync(join(path, 'Info.bckup'))).toEqual(readFileSync(join(path, 'Info.plist')))
})
