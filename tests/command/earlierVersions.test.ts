import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { mostlyLong } from '../support/mostlyLong'
import { onlyRun } from '../support/onlyRun'
import { treeFacts } from '../support/treeFacts'

/** The folder that record.mjs made its sets in: their plans and their catalog name it. */
const HERE = '/tmp/stowage-earlier-version'
const RECORDINGS = fileURLToPath(new URL('../fixtures/earlierVersions', import.meta.url))

const WHOLE = [
  'folders',
  'discs',
  'discs placed',
  'split',
  'mixed media',
  'protected',
  'parity',
  'once',
  'grown',
  'grown parity',
  '7z',
  '7z joined',
  '7z encrypted',
  '7z streamed',
  '7z grown',
  'tar zst',
  'squashfs',
  'files zst',
  'xorriso',
] as const
const HALF = ['half', 'half protected', 'half folders', 'half packed'] as const
const QUICK = new Set<string>(['folders', 'grown parity', '7z encrypted', 'xorriso', 'half'])
const isQuick = (name: string): boolean => QUICK.has(name)

let alone: Server | null = null
beforeAll(async () => {
  alone = await onlyRun('stowage-earlier-version')
})
afterAll(() => {
  rmSync(HERE, { recursive: true, force: true })
  alone?.close()
})

const recordings = readdirSync(RECORDINGS).filter((name) => name.endsWith('.tar.xz'))

test('there is a recording of an earlier version', () => {
  expect(recordings).toContain('0.2.0.tar.xz')
})

describe.each(recordings)('sets in %s', (recording) => {
  beforeEach(() => {
    rmSync(HERE, { recursive: true, force: true })
    mkdirSync(HERE)
    execFileSync('tar', ['-xpf', join(RECORDINGS, recording), '-C', HERE])
  })

  test('are all tried', () => {
    const sets = readdirSync(join(HERE, 'sets')).filter((name) => name !== 'udsb')
    expect(sets.toSorted()).toEqual([...WHOLE, ...HALF, 'xorriso half'].toSorted())
  })

  mostlyLong(
    test,
    WHOLE,
    isQuick,
  )('are verified, and restored from their volumes alone: %s', async (name) => {
    const plans = plansOf(name)
    for (const plan of plans) await done('verify', plan, ...passwordFor(name))
    const volumes = plans.flatMap(volumesOf)
    for (const volume of volumes) await done('verify', volume, ...passwordFor(name))
    await expectRestored(volumes, plans.length, name)
  })

  mostlyLong(
    test,
    HALF,
    isQuick,
  )('are continued, with the volumes they would have had: %s', async (name) => {
    const [plan = ''] = plansOf(name)
    execFileSync('cp', ['-a', join(HERE, 'source 1'), join(HERE, 'source')])
    await done('build', plan)
    const whole = readFileSync(join(HERE, 'sets', name, 'whole.sha256'), 'utf8')
    expect(digestsBelow(plan)).toBe(whole)
    await done('verify', plan)
    await expectRestored(volumesOf(plan), 1, name)
  })

  test('are added to where xorriso was to make the rest: xorriso half', async () => {
    const [plan = ''] = plansOf('xorriso half')
    const [source, next] = [join(HERE, 'source'), join(HERE, 'next')]
    execFileSync('cp', ['-a', join(HERE, 'source 1'), source])
    for (const args of [
      ['build', plan],
      ['write', plan, '--to', join(HERE, 'written')],
    ]) {
      const { code, stderr } = await stowage(args, { home: join(HERE, 'home') })
      expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('"plan --add-to"') })
    }
    await done('verify', plan, '--volume', '1')
    await done('plan', source, '--medium', 'custom:2MB', '--add-to', plan, '--out', next)
    await done('build', next)
    await done('verify', next)
    await expectRestored([...volumesOf(plan), ...volumesOf(next)], 1, 'xorriso half')
  })

  test('are in the catalog, by their labels and files', async () => {
    const list = JSON.parse(await done('catalog', 'list', '--json')) as { plans: { id: string }[] }
    const ids = readdirSync(join(HERE, 'sets')).flatMap(plansOf).map(idOf)
    expect(list.plans.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const found = await done('find', 'IMG_4.jpg', '--json')
    for (const id of ['discs', 'grown', '7z', 'xorriso'].map((name) => idOf(plansOf(name)[0] ?? '')))
      expect(found).toContain(id)
    const status = await done('catalog', 'status', '--all', '--json')
    expect(status).toContain('KEPT_01')
  })

  test('are left to a Mac where only that can build them', async () => {
    const [plan = ''] = plansOf('udsb')
    expect(existsSync(join(plan, 'build-on-mac.sh'))).toBe(true)
    const { code, stderr } = await stowage(['verify', plan], { home: join(HERE, 'home') })
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('on a Mac') })
  })
})

async function expectRestored(volumes: readonly string[], generation: number, name: string): Promise<void> {
  const to = join(HERE, 'restored')
  await done('restore', ...volumes, '--to', to, ...passwordFor(name))
  expect(treeFacts(to)).toEqual(treeFacts(join(HERE, `source ${generation}`)))
}

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stowage(args, { home: join(HERE, 'home') })
  expect(code, `${args.join(' ')}\n${stderr}`).toBe(0)
  return stdout
}

function plansOf(name: string): string[] {
  const folder = join(HERE, 'sets', name)
  const plans = readdirSync(folder).filter((entry) => entry.startsWith('plan '))
  return plans.toSorted().map((entry) => join(folder, entry))
}

function idOf(plan: string): string {
  return (JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as { id: string }).id
}

/** The images and folders that are built. */
function volumesOf(plan: string): string[] {
  return ['images', 'folders']
    .map((kind) => join(plan, kind))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => !path.endsWith('.sha256'))
}

function passwordFor(name: string): string[] {
  return name === '7z encrypted' ? ['--password-file', join(HERE, 'password')] : []
}

/** As record.mjs writes them. */
function digestsBelow(plan: string): string {
  return readdirSync(plan, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(plan.length + 1))
    .filter((path) => /^(images|folders)\//.test(path))
    .toSorted()
    .map(
      (path) =>
        `${createHash('sha256')
          .update(readFileSync(join(plan, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('')
}
