import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RestoreQueue, restoreQueueSchema } from '../../src/contract/dto/restoreQueue'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string
let plan: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-queue-')))
  source = join(folder, 'source')
  plan = join(folder, 'plan')
  const random = seededRandom(11)
  mkdirSync(join(source, 'photos'), { recursive: true })
  for (let at = 1; at <= 8; at++) {
    const content = Buffer.alloc(600_000)
    random.fillBytes(content)
    writeFileSync(join(source, 'photos', `${at}.jpg`), content)
  }
  writeFileSync(join(source, 'odd\nname.txt'), 'odd')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)
const run = (args: string[], stdin?: string): Promise<CommandEnd> =>
  stowage(args, { home: at('home'), ...(stdin === undefined ? {} : { stdin }) })

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

async function queueOf(code: number, ...args: string[]): Promise<RestoreQueue> {
  const end = await run(['restore', ...args, '--list-volumes', '--json'])
  expect(end.code, end.stderr).toBe(code)
  return restoreQueueSchema.parse(JSON.parse(end.stdout))
}

const rowsOf = ({ volumes }: RestoreQueue): unknown[] =>
  volumes.map(({ label, copy, place, state }) => [label, copy, place, state])

/** Four volumes, each on two sticks at two places. */
async function twoCopies(...more: string[]): Promise<void> {
  await done('plan', source, '--medium', 'custom:2MB', '--out', plan, ...more)
  await done('build', plan)
  await done('write', plan, '--to', at('usb'), '--place', 'home')
  await done('write', plan, '--to', at('disk'), '--copy', '2', '--place', "parents' house")
}

/** The sticks and the built images go away: nothing is at hand. */
function putAway(): void {
  rmSync(join(plan, 'images'), { recursive: true })
  for (const name of ['usb', 'disk']) renameSync(at(name), at(`${name}-away`))
}

function sourceFiles(): string[] {
  return [...readdirSync(join(source, 'photos')).map((name) => `photos/${name}`), 'odd\nname.txt']
}

describe('stowage restore --list-volumes', () => {
  test('names the copies to fetch, by whose order every file comes back', async () => {
    await twoCopies()
    putAway()
    const planId: string = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')).id
    const everything = await queueOf(0, planId)
    const labels = everything.volumes.map(({ label }) => label)
    expect(labels.length).toBeGreaterThanOrEqual(3)
    expect(everything).toMatchObject({
      files: 9,
      places: 1,
      isFewest: true,
      fewest: labels.length,
      lostFiles: 0,
    })
    expect(rowsOf(everything)).toEqual(labels.map((label) => [label, 1, 'home', 'good']))
    expect(everything.seconds?.value).toBeGreaterThan(0)

    // The first copy of one volume is lost, that of another is damaged.
    await done('catalog', 'lost', labels[0] ?? '', '--copy', '1')
    const image = at(`usb-away/${labels[1]}.iso`)
    const bytes = readFileSync(image)
    bytes.fill(0, 1_000_000, 1_200_000)
    writeFileSync(image, bytes)
    expect((await run(['verify', image, '--copy', '1'])).code).toBe(6)
    expect(await queueOf(0, planId)).toMatchObject({ places: 1, volumes: labels.map(() => ({ copy: 2 })) })
    await done('catalog', 'lost', labels[2] ?? '', '--copy', '2')
    const queue = await queueOf(0, planId)
    expect(rowsOf(queue)).toEqual([
      ...labels.slice(2).map((label) => [label, 1, 'home', 'good']),
      ...labels.slice(0, 2).map((label) => [label, 2, "parents' house", 'good']),
    ])
    expect(queue.places).toBe(2)

    const text = await done('restore', planId, '--list-volumes')
    expect(text).toMatch(new RegExp(`^${labels.length} volumes from 2 places, .*, for 9 files \\(`))
    expect(text).toContain("parents' house")

    // Plan folder and catalog are not needed to restore in this order, one volume at a time.
    const target = at('restored')
    for (const [turn, { label, copy }] of queue.volumes.entries()) {
      const mounted = at('mounted.iso')
      cpSync(at(`${copy === 1 ? 'usb' : 'disk'}-away/${label}.iso`), mounted)
      const end = await run(['restore', mounted, '--to', target])
      expect(end.code, end.stderr).toBe(turn === queue.volumes.length - 1 ? 0 : 3)
    }
    for (const name of sourceFiles())
      expect(readFileSync(join(target, name)).equals(readFileSync(join(source, name))), name).toBe(true)
  })

  test('takes only the volumes that the listed files are on', async () => {
    await twoCopies()
    putAway()
    const list = at('list')
    writeFileSync(list, 'photos/3.jpg\r\n\n./photos/4.jpg\n')
    const two = await queueOf(0, plan, '--files-from', list)
    expect(two.files).toBe(2)
    expect(two.volumes.length).toBeLessThanOrEqual(2)
    writeFileSync(list, 'photos/3.jpg\0odd\nname.txt\0')
    const one = await queueOf(0, '--files0-from', list)
    expect(one).toMatchObject({ files: 2, lostFiles: 0 })
    const piped = await run(['restore', '--list-volumes', '--files-from', '-', '--json'], 'photos\n')
    expect(JSON.parse(piped.stdout)).toMatchObject({ files: 8 })

    const missing = await run(
      ['restore', plan, '--list-volumes', '--files-from', '-'],
      'photos/3.jpg\nphotos/9.jpg\n',
    )
    expect(missing).toMatchObject({ code: 7 })
    expect(missing.stderr).toContain('"photos/9.jpg" is not in this set')
    expect((await run(['restore', plan, '--list-volumes', '--files-from', '-'], '\n\n')).code).toBe(2)
  })

  test('names the files of which every copy is lost, and ends with exit code 4', async () => {
    await twoCopies()
    putAway()
    const { volumes } = await queueOf(0, plan)
    const [first] = volumes
    const label = first?.label ?? ''
    await done('catalog', 'lost', label, '--copy', '1')
    await done('catalog', 'lost', label, '--copy', '2')
    const queue = await queueOf(4, plan)
    expect(queue.volumes.map((volume) => volume.label)).toEqual(
      volumes.slice(1).map((volume) => volume.label),
    )
    expect(queue).toMatchObject({ lostFiles: first?.files, files: 9 - (first?.files ?? 0) })
    expect(queue.lost.every(({ labels }) => labels.join() === label)).toBe(true)
    const { stdout, code } = await run(['restore', plan, '--list-volumes'])
    expect(code).toBe(4)
    expect(stdout).toContain('cannot be restored: every copy is lost, or none was made.')
  })

  test('uses what is at hand before anything else', async () => {
    await twoCopies()
    const queue = await queueOf(0, plan)
    expect(queue).toMatchObject({ places: 0, isFewest: true })
    expect(queue.volumes.every(({ path }) => path !== null)).toBe(true)
    expect(await done('restore', plan, '--list-volumes')).toMatch(/^\d+ volumes are here/)
  })

  test('needs every volume of a joined archive, by its index and by the catalog alone', {
    tags: 'long',
  }, async () => {
    await twoCopies('--option', '7z-files', '--joined')
    const planId: string = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')).id
    const joined = await queueOf(0, planId, '--files', 'photos/3.jpg')
    expect(joined.volumes.length).toBeGreaterThan(1)
    expect(joined.volumes.length).toBe((await queueOf(0, planId)).volumes.length)
    expect((await queueOf(0, plan, '--files', 'photos/3.jpg')).volumes.length).toBe(joined.volumes.length)
  })

  test('of an archive that grows it takes the volumes of the state that is asked for', async () => {
    await twoCopies()
    rmSync(join(source, 'photos', '1.jpg'))
    writeFileSync(join(source, 'new.txt'), 'new')
    const later = at('later')
    await done('plan', source, '--medium', 'custom:2MB', '--add-to', plan, '--label', 'LATER', '--out', later)
    await done('build', later)
    await done('write', later, '--to', at('usb2'), '--place', 'bank')
    rmSync(join(later, 'images'), { recursive: true })
    renameSync(at('usb2'), at('usb2-away'))
    putAway()
    const added = await queueOf(0, later, '--files', 'new.txt')
    expect(rowsOf(added)).toEqual([['LATER_05', 1, 'bank', 'good']])
    const now = await queueOf(0)
    expect(now).toMatchObject({ files: 9, places: 2, lostFiles: 0 })
    expect(now.volumes.at(-1)?.label).toBe('LATER_05')
    const then = await queueOf(0, later, '--as-of', '1')
    expect(then).toMatchObject({ files: 9, places: 1 })
    // A plan's folder gives the index of all generations, though no volume is in it.
    const target = at('restored')
    for (const { label } of now.volumes) {
      const stick = label.startsWith('LATER') ? 'usb2-away' : 'usb-away'
      const end = await run(['restore', later, at(`${stick}/${label}.iso`), '--to', target])
      expect([0, 3], end.stderr).toContain(end.code)
    }
    for (const name of [...sourceFiles(), 'new.txt'])
      expect(readFileSync(join(target, name)).equals(readFileSync(join(source, name))), name).toBe(true)
    expect(readdirSync(join(target, 'photos'))).not.toContain('1.jpg')
  })

  test('refuses options that contradict one another', async () => {
    for (const args of [
      ['restore', '--list-volumes', 'p-000000000000', at('x.iso')],
      ['restore', '--list-volumes', '--files-from', 'a', '--files0-from', 'b'],
      ['restore', at('x.iso'), '--to', at('out'), '--all'],
    ])
      expect((await run(args)).code, args.join(' ')).toBe(2)
    const { code, stderr } = await run(['restore', '--list-volumes'])
    expect(code).toBe(7)
    expect(stderr).toContain('the catalog has no plan')
  })
})
