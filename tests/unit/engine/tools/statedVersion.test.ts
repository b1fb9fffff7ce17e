import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { statedVersion } from '../../../../src/engine/tools/statedVersion'
import { temporaryFolder } from '../../../support/archiveRun'

const folder = temporaryFolder('stated-version')
const program = join(folder.path, 'program')
const starts = join(folder.path, 'starts')

/** A program that states a version and notes each start. */
function install(version: string): void {
  const next = `${program}.next`
  writeFileSync(next, `#!/bin/sh\necho >> '${starts}'\necho 'program ${version}'\n`, { mode: 0o755 })
  renameSync(next, program)
}
const stated = (signal?: AbortSignal): ReturnType<typeof statedVersion> =>
  statedVersion(program, ['--version'], /^program (\S+)/m, signal ? { signal } : {})
const timesStarted = (): number => readFileSync(starts, 'latin1').length

beforeEach(() => {
  rmSync(starts, { force: true })
  install('1.2')
})
afterAll(() => folder.dispose())

describe('the version of a program', () => {
  test('is asked once while the file stays the same, and again when the program is replaced', async () => {
    for (let time = 0; time < 3; time++) expect(await stated()).toEqual({ path: program, version: '1.2' })
    expect(timesStarted()).toBe(1)
    install('1.3')
    for (let time = 0; time < 2; time++) expect(await stated()).toEqual({ path: program, version: '1.3' })
    expect(timesStarted()).toBe(2)
  })

  test('is not answered to a job that is cancelled, although it is known', async () => {
    await stated()
    await expect(stated(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('is asked again of a program that stated none, and unknown where there is no program', async () => {
    install('of')
    expect(await statedVersion(program, [], /^program (\d)/m)).toBeNull()
    expect(await stated()).toEqual({ path: program, version: 'of' })
    rmSync(program)
    expect(await stated()).toBeNull()
    expect(await statedVersion(null, [], /./)).toBeNull()
  })
})
