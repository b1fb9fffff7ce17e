import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addonCandidates, loadAddon, loadFrom } from '../../../../src/engine/native/loadAddon'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

const SYSTEM = `${process.platform}-${process.arch}`

test('the addon is searched above the code, next to app.asar, or only in the given place', () => {
  expect(addonCandidates(undefined, '/app/dist/engine')).toContain(`/app/build/native/${SYSTEM}/stowage.node`)
  expect(addonCandidates(undefined, '/opt/resources/app.asar/dist/engine')).toContain(
    `/opt/resources/app.asar.unpacked/build/native/${SYSTEM}/stowage.node`,
  )
  expect(addonCandidates('/else/where.node', '/app/dist/engine')).toEqual(['/else/where.node'])
})

test('without the addon one line names the platform and the places tried', () => {
  expect(() => loadFrom(['/nowhere/a.node', '/nowhere/b.node'])).toThrow(
    `there is no native addon for ${SYSTEM}; looked for /nowhere/a.node, /nowhere/b.node`,
  )
})

test('a file that is not an addon is named with the reason', () => {
  const folder = temporaryFolder()
  put(folder, 'stowage.node', 'not a library')
  const place = join(folder, 'stowage.node')
  expect(() => loadFrom([place])).toThrow(`cannot load the native addon ${place}: `)
})

test('the addon that was built loads and uses what the processor has', () => {
  expect(['avx512', 'avx2', 'portable']).toContain(loadAddon().blockHash)
})
