import { describe, expect, it } from 'vitest'
import {
  projectJsonSchema,
  projectKeys,
  projectSchema,
  refusedKey,
  surveyRulesOf,
} from '../../../../src/domain/project/project'
import { NO_RULES, rulesSchema } from '../../../../src/domain/survey/rules/rules'

const PROJECT = { id: 'pr-0123456789ab', name: 'Photos', sources: { photos: '/home/ana/Photos' } }

describe('a project', () => {
  it('needs an id, a name and a source, and nothing else', () => {
    expect(projectSchema.parse(PROJECT)).toEqual(PROJECT)
    for (const key of ['id', 'name', 'sources']) {
      const { [key as keyof typeof PROJECT]: _, ...rest } = PROJECT
      expect(projectSchema.safeParse(rest).success, key).toBe(false)
    }
  })

  it.each([
    ['medium', 'bd-r-25'],
    ['option', '7z-solid-64m-path'],
    ['optionFor', ['Cowering/**=7z-dat', '*=7z-t7z-files']],
    ['optionFor', '*.jpg=files-zstd-3'],
    ['encryption', 'aes-256'],
    ['label', 'PHOTOS'],
    ['copies', 2],
    ['goal', 'fastest-restore'],
    ['rules', { patterns: ['*.tmp'], presets: ['litter'], largerThan: '4GB', ignoreFiles: false }],
  ])('may have %s', (key, value) => {
    expect(projectSchema.parse({ ...PROJECT, [key]: value })).toEqual({ ...PROJECT, [key]: value })
  })

  it.each([
    ['id', 'p-0123456789ab'],
    ['sources', {}],
    ['sources', { 'a=b': '/a' }],
    ['sources', { home: '~/Photos' }],
    ['option', '7z-solid-64m-path@disk'],
    ['optionFor', []],
    ['optionFor', ['7z-dat']],
    ['optionFor', ['*=7z-t7z']],
    ['optionFor', 7],
    ['encryption', '256'],
    ['label', 'Photos'],
    ['copies', 1.5],
    ['goal', 'own'],
    ['rules', { largerThan: 'much' }],
    ['rules', { presets: ['liter'] }],
    ['protection', '120%'],
    ['protection', 'much'],
  ])('may not have %s: %j', (key, value) => {
    expect(projectSchema.safeParse({ ...PROJECT, [key]: value }).success).toBe(false)
  })

  it('has one option for the files that rules by folder leave, and of their kind', () => {
    const optionFor = ['Cowering/**=7z-dat']
    expect(projectSchema.safeParse({ ...PROJECT, optionFor, option: '7z-titles' }).success).toBe(true)
    const { error } = projectSchema.safeParse({ ...PROJECT, optionFor, option: 'tar-zst-19-4m-path' })
    expect(error?.issues[0]?.message).toContain('it makes one archive of all files')
  })
})

describe('the rules of a project', () => {
  it('are those of a survey, with sizes as text', () => {
    expect(surveyRulesOf()).toEqual(NO_RULES)
    expect(surveyRulesOf({ patterns: ['*.tmp'], largerThan: '4GB', oneFileSystem: true })).toEqual({
      ...NO_RULES,
      patterns: ['*.tmp'],
      largerThanBytes: 4_000_000_000,
      oneFileSystem: true,
    })
    expect(surveyRulesOf({ largerThan: 2048 }).largerThanBytes).toBe(2048)
  })

  it('have a key for each rule of a survey', () => {
    const keys = projectKeys(['rules']).map((key) => (key === 'largerThan' ? 'largerThanBytes' : key))
    expect(keys.toSorted()).toEqual(Object.keys(rulesSchema.shape).toSorted())
  })
})

describe('the JSON Schema', () => {
  it('describes every key and refuses all others', () => {
    const { properties, additionalProperties, required } = projectJsonSchema() as object as {
      properties: Record<string, { description?: string; properties?: Record<string, object> }>
      additionalProperties: boolean
      required: string[]
    }
    expect(Object.keys(properties)).toEqual(projectKeys([]))
    const inner = Object.values(properties['rules']?.properties ?? {})
    expect(inner).toHaveLength(projectKeys(['rules']).length)
    for (const property of [...Object.values(properties), ...inner])
      expect(property).toHaveProperty('description', expect.stringMatching(/^[^\n]+$/))
    expect(additionalProperties).toBe(false)
    expect(required.toSorted()).toEqual(['id', 'name', 'sources'])
  })

  it('has an example for every key that need not be there, which the project takes', () => {
    for (const [key, schema] of Object.entries(projectSchema.shape)) {
      if (['id', 'name'].includes(key)) continue
      const [example] = (schema.meta()?.['examples'] ?? []) as unknown[]
      expect(example, key).toBeDefined()
      expect(projectSchema.safeParse({ ...PROJECT, [key]: example }).error, key).toBeUndefined()
    }
  })
})

describe('a key that no project has', () => {
  it.each([
    'password',
    'passphrase',
    'Passwort',
    'passwd',
    'pwd',
    'password-file',
    'secret',
    'keyFile',
    'aes_key',
  ])('%s is refused as a password', (key) => {
    expect(refusedKey([], key, 'label')).toMatch(/^looks like a password, which a project never holds/)
    expect(refusedKey(['rules'], key, null)).toMatch(/^looks like a password/)
  })

  it('gets the nearest one, or all', () => {
    expect(refusedKey([], 'medum', 'medium')).toBe('is unknown: did you mean "medium"?')
    expect(refusedKey([], 'colour', null)).toMatch(/^is unknown: one of id, name, sources, rules, /)
  })

  it('no known key looks like a password', () => {
    for (const key of [...projectKeys([]), ...projectKeys(['rules'])])
      expect(refusedKey([], key, key), key).toMatch(/did you mean/)
  })
})
