import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const { at, run, done, planIn: planOf } = placeOfEachTest('growing-command')
let photos: string
let file: string
beforeEach(async () => {
  photos = at('Photos')
  file = at('photos.stowage.yaml')
  mkdirSync(photos)
  for (const name of ['a', 'b', 'c']) writeFileSync(join(photos, name), Buffer.alloc(150_000, name))
  await done('project', 'init', file, photos, '--medium', 'custom:1MB', '--label', 'PHOTOS')
})

const plan = (name: string, ...more: string[]): Promise<CommandEnd> =>
  done('plan', '--project', file, '--out', at(name), ...more)

describe('a project that grows', () => {
  it('plans again what was on a volume of which every copy is lost', async () => {
    await plan('1')
    await done('build', at('1'))
    const [lost] = planOf('1').volumes
    await done('catalog', 'lost', lost?.label ?? '', '--copy', 'built')
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    await plan('2')
    const grown = planOf('2')
    expect(grown.problems.map(({ code }) => code)).toContain('earlier-lost')
    expect(grown.totals.bytes).toBe(5 + (lost?.bytes ?? 0))
    await done('build', at('2'))
    rmSync(at('1/images/01.iso'))
    const target = at('restored')
    await done('restore', at('2'), at('1'), '--to', target)
    expect(treeFacts(target)).toEqual(treeFacts(photos))
  })

  it('plans what is new after a volume was built, says what changed, and comes back as it was', async () => {
    await plan('never built')
    await plan('1')
    expect(planOf('1').addsTo).toBeUndefined()
    await done('build', at('1'))
    const before = treeFacts(photos)
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    renameSync(join(photos, 'a'), join(photos, 'moved'))
    rmSync(join(photos, 'b'))
    const { stdout, stderr } = await plan('2')
    const first = planOf('1')
    expect(stderr).toContain(`adding to plan ${first.id} (PHOTOS_01 and PHOTOS_02); --anew plans everything`)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Generation 2, added to PHOTOS_01 and PHOTOS_02: 1 new (5 B), 1 moved (150 kB), 1 deleted (150 kB), ' +
        '1 unchanged (150 kB). Restoring everything then reads 3 volumes.',
    )
    expect(planOf('2').volumes).toMatchObject([{ label: 'PHOTOS_03', files: 1, bytes: 5 }])
    await done('build', at('2'))
    await done('verify', at('2'))
    const plans = [at('1'), at('2')]
    await done('restore', ...plans, '--as-of', '1', '--to', at('then'))
    expect(treeFacts(at('then'))).toEqual(before)
    await done('restore', ...plans, '--to', at('now'))
    expect(treeFacts(at('now'))).toEqual(treeFacts(photos))
    const { stdout: found } = await done('find', 'moved')
    expect(found).toMatch(/need 2 discs: PHOTOS_0[12], PHOTOS_03/)
  })

  it('records moved, renamed and deleted files alone on one volume where it is asked to', async () => {
    await plan('1')
    await done('build', at('1'))
    const first = treeFacts(photos)
    const asked = ['plan', '--project', file, '--out', at('2')]
    const unchanged = await run(...asked, '--record-names')
    expect(unchanged.code).toBe(2)
    expect(unchanged.stderr).toContain('there is nothing to add: every file is on PHOTOS_02 or an earlier')
    renameSync(join(photos, 'a'), join(photos, 'moved'))
    rmSync(join(photos, 'b'))
    const refused = await run(...asked)
    expect(refused.code).toBe(2)
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'no content is new, only names differ (1 moved or renamed, 0 copied, 1 deleted): nothing is lost, ' +
        'and the next volume with new content lists them; to list them on a volume now, plan with --record-names',
    )
    const { stdout } = await plan('2', '--record-names', '--protect', 'fill')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '1 moved (150 kB), 1 deleted (150 kB), 1 unchanged (150 kB). The new volume holds the index alone. ' +
        'Restoring everything then reads 3 volumes.',
    )
    expect(planOf('2').volumes).toMatchObject([{ label: 'PHOTOS_03', files: 0, bytes: 0 }])
    await done('build', at('2'))
    await done('verify', at('2'))
    const second = treeFacts(photos)
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    await plan('3')
    expect(planOf('3')).toMatchObject({
      addsTo: [{ generation: 1 }, { generation: 2, volumes: [{ label: 'PHOTOS_03' }] }],
      volumes: [{ label: 'PHOTOS_04', bytes: 5 }],
    })
    await done('build', at('3'))
    const discs = [
      ['1', '01'],
      ['1', '02'],
      ['2', '01'],
      ['3', '01'],
    ].map(([name = '', disc = '']) => at(name, 'images', `${disc}.iso`))
    const states: [number, object][] = [
      [1, first],
      [2, second],
      [3, treeFacts(photos)],
    ]
    for (const [generation, state] of states) {
      const to = at(`as of ${generation}`)
      const given = discs.slice(0, generation === 3 ? 4 : 3)
      await done('restore', ...given, '--as-of', String(generation), '--to', to)
      expect(treeFacts(to)).toEqual(state)
    }
  })

  it('plans everything anew where it is asked to, and where files are packed', async () => {
    await plan('1')
    await done('build', at('1'))
    await plan('all', '--anew')
    expect(planOf('all')).toMatchObject({ totals: { files: 3 }, volumes: [{ label: 'PHOTOS_01' }, {}] })
    const { stderr } = await plan('packed', '--option', '7z-files', '--joined')
    expect(stderr).toContain('planning everything anew: one archive is cut over all its volumes')
    expect(planOf('packed').addsTo).toBeUndefined()
  })

  it('adds to the plan that is named, by its folder, its plan.json or its ID, as JSON says', async () => {
    await plan('1')
    await done('build', at('1'))
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    for (const [turn, given] of [at('1'), at('1/plan.json'), planOf('1').id].entries()) {
      const out = at(`to ${turn}`)
      const { stdout } = await done(
        'plan',
        photos,
        '--medium',
        'disk',
        '--add-to',
        given,
        '--out',
        out,
        '--json',
      )
      expect(JSON.parse(stdout)).toMatchObject({
        addsTo: [{ planId: planOf('1').id, generation: 1 }],
        growth: { new: { files: 1, bytes: 5 }, unchanged: { files: 3 }, restoreVolumes: 3 },
      })
    }
  })

  it('adds to the plan of a disc or image, also where the catalog does not know the plan', async () => {
    await plan('1')
    await done('build', at('1'))
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    const first = planOf('1')
    const image = at('1/images/02.iso')
    const grow = (from: string, home: string, out: string, ...more: string[]) =>
      stowage(['plan', photos, '--medium', 'custom:1MB', '--add-to', from, '--out', at(out), ...more], {
        home: at(home),
      })
    expect((await grow(image, 'home', '2')).code).toBe(0)
    expect(planOf('2').problems.map(({ code }) => code)).not.toContain('known-by-volume')
    const elsewhere = await grow(image, 'elsewhere', '2 elsewhere')
    expect(elsewhere.code, elsewhere.stderr).toBe(0)
    const there = planOf('2 elsewhere')
    expect(there).toMatchObject({
      addsTo: [{ planId: first.id, volumes: [{ label: 'PHOTOS_01' }, { label: 'PHOTOS_02' }] }],
      growth: { new: { files: 1, bytes: 5 }, unchanged: { files: 3 } },
      volumes: [{ label: 'PHOTOS_03', bytes: 5 }],
      problems: [{ code: 'known-by-volume' }],
    })
    // The day of the plan is all that the disc knows.
    expect(there.addsTo?.[0]?.createdWallMs).toBe(first.createdWallMs - (first.createdWallMs % 86_400_000))
    await done('build', at('2 elsewhere'))
    const plans = [at('1'), at('2 elsewhere')]
    await done('restore', ...plans, '--to', at('now'))
    expect(treeFacts(at('now'))).toEqual(treeFacts(photos))
    // Its third generation, from a disc of the second alone.
    writeFileSync(join(photos, 'e'), Buffer.alloc(7, 'e'))
    const third = await grow(at('2 elsewhere/images/01.iso'), 'third', '3')
    expect(third.code, third.stderr).toBe(0)
    expect(planOf('3')).toMatchObject({
      addsTo: [{ planId: first.id }, { planId: there.id }],
      growth: { new: { files: 1, bytes: 7 }, unchanged: { files: 4 } },
      volumes: [{ label: 'PHOTOS_04' }],
    })
  })

  const packed = async (...more: string[]): Promise<void> => {
    const option = ['--medium', 'custom:2MB', '--option', '7z-files', ...more]
    await done('plan', photos, ...option, '--out', at('1'))
    await done('build', at('1'))
  }

  it('adds plain files to a packed plan: by its folder, by a disc where that is gone, in another catalog', async () => {
    await packed()
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    renameSync(join(photos, 'a'), join(photos, 'moved'))
    const disc = at('disc.iso')
    copyFileSync(at('1/images/01.iso'), disc)
    const grow = (from: string, home: string, out: string) =>
      stowage(['plan', photos, '--medium', 'disk', '--add-to', from, '--out', at(out)], {
        home: at(home),
      })
    for (const [from, home] of [
      [at('1'), 'home'],
      [disc, 'elsewhere'],
    ] as const) {
      const end = await grow(from, home, `2 ${home}`)
      expect(end.code, end.stderr).toBe(0)
      expect(planOf(`2 ${home}`)).toMatchObject({
        addsTo: [{ generation: 1, volumes: [{}] }],
        growth: { new: { files: 1, bytes: 5 }, moved: { files: 1 }, stored: { files: 1, bytes: 5 } },
      })
    }
    const id = planOf('1').id
    rmSync(at('1'), { recursive: true })
    expect((await grow(id, 'home', '2 by ID')).stderr).toContain('name one of its volumes instead')
    const third = await grow(disc, 'home', '2')
    expect(third.code, third.stderr).toBe(0)
    await done('build', at('2'))
    await done('restore', disc, at('2'), '--to', at('now'))
    expect(treeFacts(at('now'))).toEqual(treeFacts(photos))
  })

  it('refuses a folder that is no volume, and a disc of an archive that is cut over all discs', async () => {
    await packed('--joined')
    for (const [from, because] of [
      [photos, 'INDEX.tsv'],
      [at('1'), 'one archive is cut over all its volumes'],
    ] as const) {
      const args = ['plan', photos, '--medium', 'disk', '--add-to', from, '--out', at('x')]
      const end = await stowage(args, { home: at('elsewhere') })
      expect(end.code).not.toBe(0)
      expect(end.stderr).toContain(because)
    }
  })

  it.each([
    [['--anew', '--add-to', 'p-000000000000'], 'give --add-to or --anew, not both'],
    [['--anew', '--record-names'], 'give --anew or --record-names, not both'],
    [['--add-to', 'nothing here'], 'no such file or folder'],
    [['--add-to', 'p-000000000000'], 'no plan p-000000000000 in the catalog'],
  ])('refuses %s', async (more, message) => {
    const { code, stderr } = await run('plan', '--project', file, '--out', at('x'), ...more)
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})
