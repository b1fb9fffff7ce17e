import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { archivesDocumentSchema } from '../../src/contract/dto/archive'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const { at, run, done, planIn: planOf } = placeOfEachTest('archives')
let photos: string
beforeEach(() => {
  photos = at('Photos')
  mkdirSync(photos)
  for (const name of ['a', 'b', 'c']) writeFileSync(join(photos, name), Buffer.alloc(150_000, name))
})

const MEDIUM = ['--medium', 'custom:2MB'] as const

async function begin(name = 'Family', out = 'first', ...more: string[]): Promise<void> {
  await done('plan', photos, '--archive', name, ...MEDIUM, '--label', 'FAMILY', '--out', at(out), ...more)
}

async function listed() {
  const { stdout } = await done('archives', '--json')
  return archivesDocumentSchema.parse(JSON.parse(stdout))
}

const words = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('an archive', () => {
  it('begins with a plan, adds what is new with one word, and comes back as it was', async () => {
    await begin()
    await done('build', at('first'))
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    renameSync(join(photos, 'a'), join(photos, 'moved'))
    rmSync(join(photos, 'b'))
    const { stdout, stderr } = await done('add', 'family', '--build')
    expect(stdout).not.toContain('stowage build')
    expect(stderr).not.toContain('--anew')
    expect(words(stdout)).toContain('1 new (5 B), 1 moved (150 kB), 1 deleted (150 kB), 1 unchanged (150 kB)')
    const added = planOf('Family-2')
    expect(added.project).toEqual(planOf('first').project)
    expect(added.volumes).toMatchObject([{ label: 'FAMILY_02', files: 1, bytes: 5 }])
    expect(added.medium).toEqual(planOf('first').medium)
    await done('restore', at('Family-2'), at('first'), '--to', at('restored'))
    expect(treeFacts(at('restored'))).toEqual(treeFacts(photos))
    const { archives, sets } = await listed()
    expect(sets).toEqual([])
    expect(archives).toMatchObject([
      {
        name: 'Family',
        isDerived: false,
        sources: [{ name: 'photos', path: photos, isThere: true }],
        medium: 'custom:2MB',
        label: 'FAMILY',
        sets: [{ newestMade: added.id, plans: [{ id: planOf('first').id }, { id: added.id }] }],
      },
    ])
  })

  it('writes nothing and ends well where nothing is new', async () => {
    await begin()
    await done('build', at('first'))
    const before = readdirSync(at())
    const nothing = await run('add', 'Family')
    expect(nothing).toMatchObject({ code: 0, stderr: expect.stringContaining('adding to plan') as string })
    expect(nothing.stdout).toContain('There is nothing to add: every file is on FAMILY_01')
    expect(readdirSync(at())).toEqual(before)
    const { stdout } = await done('add', 'Family', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'stowage.addition/1', planned: false })
  })

  it('keeps its rules, order and encryption for what is added', async () => {
    writeFileSync(at('password'), 'correct horse\n')
    const encrypted = ['--option', '7z-files', '--encrypt', '256', '--order', 'name', '--exclude', '*.tmp']
    await begin('Family', 'first', ...encrypted)
    await done('build', at('first'), '--password-file', at('password'))
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    writeFileSync(join(photos, 'e.tmp'), 'left out')
    await done('add', 'Family', '--build', '--password-file', at('password'))
    const added = planOf('Family-2')
    expect(added).toMatchObject({
      packing: { recipe: '7z-files', encryption: 'aes-256' },
      placement: { order: 'name' },
      totals: { files: 1 },
      rules: { patterns: ['*.tmp'] },
    })
  })

  it('refuses to plan an addition twice, and says which plan to build', async () => {
    await begin()
    const early = await run('add', 'Family')
    expect(early).toMatchObject({
      code: 7,
      stderr: expect.stringContaining(
        'cannot add to Family: none of its volumes was built or written yet',
      ) as string,
    })
    await done('build', at('first'))
    writeFileSync(join(photos, 'd'), 'd')
    await done('add', 'Family')
    const again = await run('add', 'Family')
    expect(again.code).toBe(7)
    expect(words(again.stderr)).toContain(`plan ${planOf('Family-2').id} adds to Family and is not built yet`)
    await done('build', at('Family-2'))
    writeFileSync(join(photos, 'e'), 'e')
    await done('add', 'Family')
    expect(planOf('Family-3').addsTo).toHaveLength(2)
  })

  it('lists the archives that a name can mean, and takes the ID of one', async () => {
    await begin('Family', '1')
    await begin('Family2', '2')
    await done('archives', 'rename', 'Family2', 'family')
    // Exactly this name goes before the same in other letters.
    await done('archives', 'show', 'Family')
    const several = await run('archives', 'show', 'FAMILY')
    expect(several.code).toBe(2)
    const ids = (await listed()).archives.map(({ id }) => id)
    for (const id of ids) {
      expect(several.stderr).toContain(id)
      await done('archives', 'show', id)
    }
    const unknown = await run('add', 'Famly')
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean') as string })
  })

  it('adopts the plans of before, with what is added to them, and forgets an archive without its plans', async () => {
    await done('plan', photos, ...MEDIUM, '--out', at('1'))
    await done('build', at('1'))
    expect(await listed()).toMatchObject({ archives: [], sets: [{ id: planOf('1').id }] })
    await done('archives', 'adopt', at('1'), 'Old photos')
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    await done('add', 'Old photos', '--build')
    const grown = await listed()
    expect(grown).toMatchObject({
      archives: [
        {
          name: 'Old photos',
          sets: [{ plans: [{ id: planOf('1').id }, { id: planOf('Old photos-2').id }] }],
        },
      ],
      sets: [],
    })
    await done('archives', 'forget', 'Old photos')
    expect(await listed()).toMatchObject({ archives: [], sets: [{ id: planOf('1').id, plans: [{}, {}] }] })
    await done('archives', 'adopt', planOf('1').id, 'Again')
    expect(await listed()).toMatchObject({ archives: [{ name: 'Again' }], sets: [] })
  })

  it('knows a project of before as an archive, with the answers of its last plan', async () => {
    const file = at('photos.stowage.yaml')
    await done('project', 'init', file, photos, ...MEDIUM, '--label', 'PHOTOS')
    await done('plan', '--project', file, '--out', at('1'))
    await done('build', at('1'))
    const { archives } = await listed()
    expect(archives).toMatchObject([
      { id: planOf('1').project?.id, name: 'photos', isDerived: true, label: 'PHOTOS' },
    ])
    writeFileSync(join(photos, 'd'), 'd')
    await done('add', 'photos', '--build')
    expect(planOf('photos-2').addsTo).toHaveLength(1)
    expect((await listed()).archives).toMatchObject([{ isDerived: false, sets: [{ plans: [{}, {}] }] }])
    // The file wins for its plans, and the archive goes on with their answers.
    await done('project', 'set', file, 'copies', '3')
    writeFileSync(join(photos, 'e'), 'e')
    await done('plan', '--project', file, '--out', at('3'))
    expect((await listed()).archives).toMatchObject([{ copies: 3 }])
  })

  it('adds from where its source is now, and remembers that for this computer', async () => {
    // Files that changed shortly before a survey are read again by the next one.
    await setTimeout(2_100)
    await begin()
    await done('build', at('first'))
    renameSync(photos, at('Elsewhere'))
    const gone = await run('add', 'Family')
    expect(gone.code).toBe(2)
    expect(gone.stderr).toContain('source photos is not there')
    writeFileSync(at('Elsewhere', 'd'), Buffer.alloc(5, 'd'))
    await done('add', 'Family', '--source', `photos=${at('Elsewhere')}`, '--build')
    const moved = planOf('Family-2')
    expect(moved.growth?.new).toEqual({ files: 1, bytes: 5 })
    const survey = await done('survey', '--survey', moved.surveyId, '--json')
    // Files whose folder was renamed are known: none of them is read again.
    expect(JSON.parse(survey.stdout)).toMatchObject({ trusted: { files: 3 } })
    writeFileSync(at('Elsewhere', 'e'), Buffer.alloc(7, 'e'))
    await done('add', 'Family', '--build')
    expect(planOf('Family-3').growth?.new).toEqual({ files: 1, bytes: 7 })
    expect((await listed()).archives[0]?.sources).toMatchObject([{ name: 'photos', path: at('Elsewhere') }])
  })

  it('is named wherever a plan is taken', async () => {
    await begin()
    await done('build', 'Family')
    await done('verify', 'family')
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    await done('add', 'Family', '--build')
    const { stdout: both } = await done('verify', 'Family', '--json')
    expect(JSON.parse(both)).toMatchObject({
      schema: 'stowage.check/1',
      volumes: [{ planId: planOf('Family-2').id }, { planId: planOf('first').id }],
    })
    // Both are number 1 of their plans.
    const { stdout: states } = await done('catalog', 'status', '--all')
    expect(states).not.toContain('not verified')
    const { stdout: tried } = await done('drill', 'Family', '--json')
    expect(JSON.parse(tried)).toMatchObject({ outcome: 'passed', evidence: 'catalog', files: 4 })
    await done('labels', 'Family', '--out', at('labels'))
    expect(readdirSync(at('labels')).join()).toContain('FAMILY_02')
    await done('restore', 'Family', '--to', at('restored'))
    expect(treeFacts(at('restored'))).toEqual(treeFacts(photos))
    await done('plan', photos, ...MEDIUM, '--out', at('other'))
    const { stdout } = await done('find', 'd', '--archive', 'Family', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ path: 'd', volume: { label: 'FAMILY_02' } }] })
    const safe = await run('safe', '--archive', 'Family')
    expect(safe.stdout).toContain('Not safe to delete')
    expect((await run('restore', 'Nobody', '--to', at('nobody'))).stderr).toContain('Nobody')
  })

  it('says how far another set is behind', async () => {
    await begin()
    await done('build', at('first'))
    await done('plan', '--archive', 'Family', '--anew', '--medium', 'folder:4MB', '--out', at('second'))
    await done('build', at('second'))
    writeFileSync(join(photos, 'd'), Buffer.alloc(5, 'd'))
    await done('add', 'Family', '--build')
    expect(planOf('Family-3').medium.id).toBe('folder:4MB')
    writeFileSync(join(photos, 'e'), Buffer.alloc(7, 'e'))
    const { stderr } = await done('add', 'Family')
    expect(words(stderr)).toContain(`the set of plan ${planOf('first').id}`)
    expect(words(stderr)).toContain('is 1 addition behind: 5 B')
  })
})
