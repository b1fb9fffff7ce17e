import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newSetPlace } from '../../../src/main/setPlace'
import { temporaryFolder } from '../../support/archiveRun'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder('set-place')
})
afterEach(() => folder.dispose())

it('is a folder of the source’s name in the documents, where nothing is yet', async () => {
  const base = join(folder.path, 'Stowage')
  expect(await newSetPlace(folder.path, 'Photos 2003–2024')).toBe(join(base, 'Photos 2003–2024'))
  mkdirSync(join(base, 'Photos'), { recursive: true })
  writeFileSync(join(base, 'Photos 2'), '')
  symlinkSync('nowhere', join(base, 'Photos 3'))
  expect(await newSetPlace(folder.path, 'Photos')).toBe(join(base, 'Photos 4'))
})

it.each([
  ['../../etc', '_.._etc'],
  ['..', 'Set'],
  ['', 'Set'],
  [' .hidden. ', 'hidden'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
  ['new\nline', 'new_line'],
  ['caf\udce9', 'caf_'],
  ['CON.txt', '_CON.txt'],
  ['console', 'console'],
  ['é'.repeat(200), 'é'.repeat(80)],
])('names %j so that every system can hold it and nothing leads elsewhere', async (name, held) => {
  expect(await newSetPlace(folder.path, name)).toBe(join(folder.path, 'Stowage', held))
})
