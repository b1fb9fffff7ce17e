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

/** A folder as a process leaves it that is killed while it makes the folder, or while a tool works on its samples. */
function leftBy(owner: string, hasSamples = true): string {
  const folder = mkdtempSync(join(place, `stowage-samples-${encodeURIComponent(owner)}-`))
  if (!hasSamples) return folder
  mkdirSync(join(folder, 'samples'))
  writeFileSync(join(folder, 'samples', '00000000'), 'x')
  return folder
}

it('sample folders of ended processes are removed, those in use and of others stay', async () => {
  const process = spawn('true')
  const pid = process.pid as number
  await new Promise((resolve) => process.once('exit', resolve))
  const ended = ownIdentity().replace(/^\d+ \d+/, `${pid} 1`)
  const left = [leftBy(ended), leftBy(ended, false)]
  const stay = [leftBy(ownIdentity()), leftBy(ownIdentity(), false)]
  for (const name of ['stowage-samples-abc', 'stowage-samples-%-abc', 'stowage-sampleson-abc']) {
    mkdirSync(join(place, name))
    stay.push(join(place, name))
  }
  const used = await inSampleFolder(
    [{ data: Buffer.from('text'), extension: 'txt' }],
    async (folder, names) => {
      removeAbandonedSamples()
      expect(names).toEqual(['00000000.txt'])
      expect(readdirSync(folder)).toEqual(names)
      return dirname(folder)
    },
  )
  expect(left.filter((folder) => existsSync(folder))).toEqual([])
  expect(existsSync(used)).toBe(false)
  expect(readdirSync(place).toSorted()).toEqual(stay.map((folder) => basename(folder)).toSorted())
})
