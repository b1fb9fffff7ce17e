import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { builderFor } from '../../../src/engine/options/buildability'
import { fromSteadySource } from '../../../src/engine/options/builders/buildSource'
import { requestFor } from '../../support/buildSource'
import {
  BUILT,
  type BuildPlace,
  buildPlace,
  builtFrom,
  bytesBelow,
  failureOf,
  writeNoise,
} from '../../support/builtOption'
import { mostlyLong } from '../../support/mostlyLong'

let place: BuildPlace
let path: string | undefined
beforeEach(() => {
  place = buildPlace()
  path = process.env['PATH']
})
afterEach(() => {
  process.env['PATH'] = path
  place.dispose()
})

const isQuick = (variant: string): boolean => ['plain', 'files-zstd-3', '7z-files', 'iso'].includes(variant)

describe('a build', () => {
  mostlyLong(
    test,
    BUILT,
    isQuick,
  )('of %s refuses what is there already, and what is gone or changed', async (variant) => {
    writeNoise(place.source, 'stays', 1000)
    writeNoise(place.source, 'goes', 1000)
    const request = requestFor([place.source], place.folder, variant)
    const build = (more = {}) => builtFrom({ ...request, ...more })
    writeFileSync(request.path, 'mine')
    expect(await failureOf(build())).toMatchObject({ code: 'exists' })
    rmSync(request.path)
    truncateSync(join(place.source, 'goes'), 500)
    expect(await failureOf(build())).toMatchObject({
      code: 'changed',
      message: `cannot use ${place.source}/goes: it has 500 bytes, and had 1000 when it was planned`,
    })
    rmSync(join(place.source, 'goes'))
    expect(await failureOf(build())).toMatchObject({
      code: 'vanished',
      message: `cannot use ${place.source}/goes: it no longer exists`,
    })
  })

  mostlyLong(
    test,
    ['7z-solid-4m-content', 'tar-zst-19-4m-path', 'files-zstd-3', 'plain', '7z-titles'],
    isQuick,
  )('of %s notices what changes meanwhile', async (variant) => {
    for (let file = 0; file < 3; file++) writeNoise(place.source, `${file}`, 300_000, file + 1)
    let changed = false
    const onProgress = () => {
      if (!changed) truncateSync(join(place.source, '2'), 299_999)
      changed = true
    }
    const failure = await failureOf(place.build(variant, { onProgress }))
    expect(changed).toBe(true)
    expect(failure.code).toBe('changed')
    expect(failure.message).toContain(`${place.source}/2`)
  })

  mostlyLong(
    test,
    ['7z-solid-4m-content', 'tar-zst-19-4m-path', 'files-zstd-3', 'files-lz4', 'plain'],
    isQuick,
  )('of %s refuses other bytes of the same size and time where the digest is known', async (variant) => {
    for (let file = 0; file < 3; file++) writeNoise(place.source, `${file}`, 300_000, file + 1)
    utimesSync(join(place.source, '2'), 1000, 1000)
    const request = requestFor([place.source], place.folder, variant)
    const withDigests = request.files.map((file) => ({
      ...file,
      digest: createHash('sha256').update(readFileSync(file.source)).digest('hex'),
    }))
    const known = { ...request, files: withDigests, contentOrder: () => Promise.resolve(withDigests) }
    writeNoise(place.source, '2', 300_000, 9)
    utimesSync(join(place.source, '2'), 1000, 1000)
    expect(await failureOf(builtFrom(known))).toMatchObject({
      code: 'changed',
      message: `cannot use ${place.source}/2: its content differs from the plan`,
    })
  })

  it('notices other bytes of the same size and time that came while a program read', async () => {
    for (let file = 0; file < 3; file++) writeNoise(place.source, `${file}`, 3000, file + 1)
    const victim = join(place.source, '2')
    utimesSync(victim, 1000, 1000)
    const request = requestFor([place.source], place.folder, '7z-files')
    const work = async (): Promise<void> => {
      writeNoise(place.source, '2', 3000, 9)
      utimesSync(victim, 1000, 1000)
    }
    expect(await failureOf(fromSteadySource(request, work))).toMatchObject({
      code: 'changed',
      message: `cannot use ${victim}: it changed while it was being read`,
    })
    await fromSteadySource(request, async () => undefined)
  })

  test.each(['squashfs-lz4-1m', 'borg-1-none', 'restic-off'])(
    'of %s says which program is missing',
    async (variant) => {
      writeNoise(place.source, 'a', 10)
      process.env['PATH'] = '/nowhere'
      const failure = await failureOf(place.build(variant))
      expect(failure.code).toBe('tool-missing')
      expect(failure.message).toMatch(/cannot find .*apt install/)
    },
  )

  test.each([
    ['borg-1-none', 'borg', 'borg 1.4.0', 'the repository has no config'],
    ['restic-off', 'restic', 'restic 0.18.0', 'the repository has no config'],
    ['squashfs-lz4-1m', 'mksquashfs', 'mksquashfs version 4.6.1', 'made no file'],
  ])('of %s fails where %s ends with 0 and makes nothing', async (variant, program, version, because) => {
    writeNoise(place.source, 'a', 10)
    const programs = join(place.folder, 'programs')
    mkdirSync(programs)
    const script = `#!/bin/sh\ncase $1 in --version|-version|version) echo "${version}" ;; esac\nexit 0\n`
    writeFileSync(join(programs, program), script)
    chmodSync(join(programs, program), 0o755)
    process.env['PATH'] = `${programs}:${path}`
    const failure = await failureOf(place.build(variant))
    expect(failure.code).toBe('tool-failed')
    expect(failure.message).toContain(`reported success, but ${because}`)
  })

  it('goes to places with names of any bytes', async () => {
    writeNoise(place.source, 'a', 1000)
    const folder = `${place.folder}/not \udcff text`
    mkdirSync(Buffer.concat([Buffer.from(`${place.folder}/not `), Buffer.of(0xff), Buffer.from(' text')]))
    for (const variant of [
      '7z-files',
      'iso',
      'squashfs-lz4-1m',
      'files-gzip-6',
      'tar-zst-19-1m-path',
      'udzo',
    ]) {
      const { built } = await place.build(variant, { path: `${folder}/${variant} \udcfe` })
      expect(built.bytes).toBeGreaterThan(0)
    }
  })

  mostlyLong(
    test,
    BUILT,
    isQuick,
  )('of %s can be of an empty source', async (variant) => {
    const { built, path: made } = await place.build(variant)
    const isFolder = /^(plain|files|7z-titles)/.test(variant)
    if (isFolder)
      expect(built.bytes).toBe([...bytesBelow(made).values()].reduce((sum, { length }) => sum + length, 0))
    else expect(built.bytes).toBeGreaterThan(0)
  })
})

describe('options that are not built', () => {
  test.each([
    ['udrw', 'build-on-mac.sh'],
    ['asif', 'build-on-mac.sh'],
    ['zfs-128k-lz4-dedup', 'ZFS pool'],
    ['kopia-none', 'kopia'],
    ['borg-2-lz4', 'only forecast'],
    ['7z-solid-0m-path', 'no option 7z-solid-0m-path'],
    ['blocks-100', 'no option blocks-100'],
    ['blocks-4k', 'cannot be restored'],
    ['7z-titles+blocks-4k', 'cannot be restored; choose 7z-titles'],
    ['tar-zst-19-3m-path', 'no option'],
    ['squashfs-xz-128k', 'no option'],
    ['tape', 'no option tape'],
  ])('%s says why', (variant, because) => {
    const answer = builderFor(variant, { encryption: 'none', protection: 0 })
    expect(answer).toEqual({ refusal: expect.stringContaining(because) as string })
  })
})
