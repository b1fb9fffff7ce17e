import { describe, expect, it } from 'vitest'
import type { Project } from '../../../../src/domain/project/project'
import { formOf, withForm } from '../../../../src/domain/project/projectForm'

const PROJECT: Project = {
  id: 'pr-0123456789ab',
  name: 'Photos',
  sources: { photos: '/p' },
  rules: { patterns: ['*.tmp'], caches: false, largerThan: '4 GB' },
  medium: 'bd-r-25',
  option: 'plain',
  encryption: 'none',
  copies: 2,
  goal: 'fastest-restore',
}

describe('a project with its own form', () => {
  it.each([PROJECT, { id: PROJECT.id, name: 'Bare', sources: { a: 'b' } }])('stays as it is', (project) => {
    expect(withForm(project, formOf(project))).toEqual(project)
  })
})

describe('a project with another form', () => {
  const changed = (change: Partial<ReturnType<typeof formOf>>, project = PROJECT): Project =>
    withForm(project, { ...formOf(project), ...change })
  const { rules } = formOf(PROJECT)

  it('has what was changed, as it is written in a file', () => {
    expect(changed({ goal: 'fastestBuild', encryption: 'aes-128', label: 'A', medium: null })).toEqual({
      ...PROJECT,
      goal: 'fastest-build',
      encryption: 'aes-128',
      label: 'A',
      medium: undefined,
    })
  })

  it.each([
    ['none', 'none'],
    [7.5, '7.5%'],
    [null, undefined],
  ] as const)('has recovery data %j as %j, and reads it back', (protection, word) => {
    const project = changed({ protection }, { ...PROJECT, protection: '20 %' })
    expect(project).toEqual({ ...PROJECT, protection: word })
    expect(formOf(project).protection).toBe(protection)
  })

  it.each(['merged', null] as const)('has ROM sets in layout %j, and reads it back', (layout) => {
    const project = changed({ layout }, { ...PROJECT, layout: 'split' })
    expect(project).toEqual({ ...PROJECT, layout: layout ?? undefined })
    expect(formOf(project).layout).toBe(layout)
  })

  it.each([[3], [null]])('has %j copies, and reads them back', (copies) => {
    const project = changed({ copies })
    expect(project).toEqual({ ...PROJECT, copies: copies ?? undefined })
    expect(formOf(project).copies).toBe(copies)
  })

  it('has rules by folder as one option, keeps their lines, and drops them for another option', () => {
    const optionFor = ['Cowering/**=7z-dat']
    const project: Project = { ...PROJECT, option: '7z-t7z-files', optionFor }
    const name = 'by-folder(Cowering/**=7z-dat,*=7z-t7z-files)'
    expect(formOf(project).option).toBe(name)
    expect(withForm(project, formOf(project))).toEqual(project)
    expect(changed({ option: '7z-dat' }, project)).toEqual({
      ...PROJECT,
      option: '7z-dat',
      optionFor: undefined,
    })
    expect(changed({ option: null }, project)).toEqual({ ...PROJECT, option: undefined })
    const lines = ['Cowering/**=7z-dat', '*=7z-t7z-files']
    expect(changed({ option: name })).toEqual({ ...PROJECT, option: undefined, optionFor: lines })
  })

  it('keeps a line that says what is usual', () => {
    const filled = { ...PROJECT, protection: 'fill' }
    expect(formOf(filled).protection).toBeNull()
    expect(changed({}, filled)).toEqual(filled)
  })

  it.each([
    [
      { ...rules, patterns: [] },
      { patterns: [], caches: false, largerThan: '4 GB' },
    ],
    [
      { ...rules, largerThanBytes: null },
      { patterns: ['*.tmp'], caches: false },
    ],
    [
      { ...rules, largerThanBytes: 3 * 1024 ** 2 },
      { ...PROJECT.rules, largerThan: '3MiB' },
    ],
    [
      { ...rules, largerThanBytes: 1_500_000 },
      { ...PROJECT.rules, largerThan: '1500kB' },
    ],
    [
      { ...rules, largerThanBytes: 1001 },
      { ...PROJECT.rules, largerThan: 1001 },
    ],
    [
      { ...rules, largerThanBytes: 1e12 },
      { ...PROJECT.rules, largerThan: '1TB' },
    ],
    [
      { ...rules, ignoreFiles: false },
      { ...PROJECT.rules, ignoreFiles: false },
    ],
  ])('keeps the lines of rules that are there: %j', (given, written) => {
    const project = changed({ rules: given })
    expect(project.rules).toEqual(written)
    expect(formOf(project).rules).toEqual(given)
  })

  it('has the default rules where it has none, and says so where it wants none of them', () => {
    const { rules: _, ...bare } = PROJECT
    const defaults = { ...rules, presets: ['litter' as const] }
    const form = formOf(bare, defaults)
    expect(form.rules).toEqual(defaults)
    expect(withForm(bare, form, defaults)).toEqual(bare)
    const none = withForm(bare, { ...form, rules: formOf({}).rules }, defaults)
    expect(none.rules).toEqual({})
    expect(formOf(none, defaults).rules).toEqual(formOf({}).rules)
  })

  it('takes a medium that cannot be one for none, and leaves it where it is', () => {
    const odd = { ...PROJECT, medium: 'My Discs' }
    expect(formOf(odd).medium).toBeNull()
    expect(changed({ label: 'A' }, odd).medium).toBe('My Discs')
  })
})
