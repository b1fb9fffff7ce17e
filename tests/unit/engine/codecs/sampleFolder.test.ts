import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inSampleFolder, removeAbandonedSamples } from '../../../../src/engine/codecs/sampleFolder'
import { ownIdentity } from '../../../../src/engine/files/processIdentity'

let place = ''

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'stowage-test-'))
  vi.stubEnv('TMPDIR', place)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(place, { recursive: true, force: true })
})

/** A folder as a process leaves it that is killed while a tool works on its samples. */
function leftBy(owner: string): string {
  const folder = join(place, `stowage-samples-${Math.random().toString(36).slice(2, 8)}`)
  mkdirSync(join(folder, 'samples'), { recursive: true })
  writeFileSync(join(folder, 'owner'), owner)
  writeFileSync(join(folder, 'samples', '00000000'), 'x')
  return folder
}

it('sample folders of ended processes are removed, those in use and of others stay', async () => {
  const ended = spawn('true')
  const pid = ended.pid as number
  await new Promise((resolve) => ended.once('exit', resolve))
  const left = leftBy(ownIdentity().replace(/^\d+ \d+/, `${pid} 1`))
  const ownerless = join(place, 'stowage-samples-abc')
  mkdirSync(ownerless)
  const beingMade = leftBy('')
  const used = await inSampleFolder(
    [{ data: Buffer.from('text'), extension: 'txt' }],
    async (folder, names) => {
      removeAbandonedSamples()
      expect(names).toEqual(['00000000.txt'])
      expect(readdirSync(folder)).toEqual(names)
      return dirname(folder)
    },
  )
  expect(existsSync(left)).toBe(false)
  expect(existsSync(ownerless)).toBe(true)
  expect(existsSync(used)).toBe(false)
  expect(readdirSync(place).toSorted()).toEqual(
    [ownerless, beingMade].map((folder) => basename(folder)).toSorted(),
  )
})
