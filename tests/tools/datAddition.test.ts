import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../src/contract/dto/plan'
import { currentPlan, packedMembers } from '../../src/engine/sets/volume/planned/currentPlan'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { EXIT } from '../../src/primitives/exitCode'
import { datOf, logiqxText } from '../support/madeDats'
import { type MadeRoms, madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('dat-addition')

const roms: MadeRoms = madeRoms(41, { system: 'NES', parents: 9, bytes: 30_000 })
const lateParent = roms.families.length - 1
const lateClone = roms.families.findIndex((family) => family.length > 2)

/** The paths of a ROM set and the family that came out this year. */
const LATE = [...(roms.families[lateParent] ?? []), ...(roms.families[lateClone]?.slice(-1) ?? [])]

/** A DAT of what there was last year: the games of late files are not in it. */
function earlierDat(): string {
  const isLate = (name: string): boolean => LATE.some((path) => path.includes(name))
  return logiqxText(
    datOf(
      roms.dat.games.filter(({ name }) => !isLate(name)),
      { name: 'NES', version: '2025' },
    ),
  )
}

const volumesOf = (plan: string): string[] =>
  readdirSync(here.at(plan, 'images'))
    .filter((name) => name.endsWith('.iso'))
    .map((name) => here.at(plan, 'images', name))

async function filesIn(plan: string): Promise<Extract<PlanEntry, { kind: 'file' }>[]> {
  const members = await packedMembers(await currentPlan(await openPlanFolder(here.at(plan))))
  return members.filter((entry) => entry.kind === 'file')
}

describe('stowage add with the DAT of the next year', () => {
  beforeEach(async () => {
    here.files(roms.files)
    for (const path of LATE) rmSync(here.at('source', path))
    writeFileSync(here.at('2025.dat'), earlierDat())
    writeFileSync(here.at('2026.dat'), logiqxText(roms.dat))
    // Files that changed less than two seconds before a survey are read again by the next.
    await setTimeout(2_100)
    const medium = ['--medium', 'custom:1500kB']
    const begun = [
      'plan',
      here.source,
      '--archive',
      'ROMs',
      '--option',
      '7z-dat',
      '--dat',
      here.at('2025.dat'),
    ]
    await here.done(...begun, ...medium, '--out', here.at('first'))
    await here.done('build', here.at('first'))
    await here.done('verify', here.at('first'))
  })

  it('packs only what is new, into a folder of its own, and all comes back', { tags: 'long' }, async () => {
    const before = await filesIn('first')
    here.files(Object.fromEntries(LATE.map((path) => [path, roms.files[path] ?? ''])))
    const { stdout } = await here.done(
      'add',
      'ROMs',
      '--dat',
      here.at('2026.dat'),
      '--out',
      here.at('second'),
    )
    expect(stdout).toContain('Generation 2')
    const plan = here.planIn('second')
    expect(plan.packing).toMatchObject({ recipe: '7z-dat', folder: 'added-2' })
    expect(plan.packing?.dats).not.toEqual(here.planIn('first').packing?.dats)
    await here.done('build', here.at('second'))
    await here.done('verify', here.at('second'))
    const added = await filesIn('second')
    expect(added.map(({ source }) => source).toSorted()).toEqual(
      LATE.map((path) => here.at('source', path)).toSorted(),
    )
    for (const { in: archive } of added) expect(archive).toMatch(/^added-2\/.*\.7z$/)
    // The archive of the late clone has the name of its parent's, which is in the other folder.
    const first = roms.families[lateClone]?.[0] ?? ''
    const parent = before.find(({ source }) => source === here.at('source', first))?.in ?? ''
    const names = added.map(({ in: archive = '' }) => basename(archive))
    expect(names).toContain(basename(parent))
    await here.done('restore', ...volumesOf('first'), ...volumesOf('second'), '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
    const third = await here.done('add', 'ROMs', '--out', here.at('third'))
    expect(third.stdout).toMatch(/nothing to add/i)
  })

  it('takes the DATs of the plan before where none is given, and names one that is gone', {
    tags: 'long',
  }, async () => {
    here.files({ 'NES/new.bin': 50_000 })
    renameSync(here.at('2025.dat'), here.at('moved.dat'))
    const gone = await here.run('add', 'ROMs', '--out', here.at('second'))
    expect([gone.code, gone.stderr]).toEqual([
      EXIT.usage,
      `stowage: a DAT of ROMs is not there: ${here.at('2025.dat')} (give all that it is packed by with --dat FILE)\n`,
    ])
    expect(readdirSync(here.folder)).not.toContain('second')
    renameSync(here.at('moved.dat'), here.at('2025.dat'))
    await here.done('add', 'ROMs', '--build', '--out', here.at('second'))
    expect((await filesIn('second')).map(({ in: archive }) => archive)).toEqual(['added-2/NES/new.bin.7z'])
    await here.done('restore', ...volumesOf('first'), ...volumesOf('second'), '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  })

  it('reads every file where more has changed than the earlier forecast can tell', {
    tags: 'long',
  }, async () => {
    here.files(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`SNES/${at}.bin`, 400_000 + at])))
    const { stderr } = await here.done('add', 'ROMs', '--build', '--out', here.at('second'))
    expect(stderr).toContain('reading every file: too much has changed for the earlier forecast of 7z-dat')
    expect(await filesIn('second')).toHaveLength(12)
    await here.done('restore', ...volumesOf('first'), ...volumesOf('second'), '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  })
})
