import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import bandsStep from '../../../assets/copy/en/bandsStep.json' with { type: 'json' }
import checks from '../../../assets/copy/en/checks.json' with { type: 'json' }
import chooseStep from '../../../assets/copy/en/chooseStep.json' with { type: 'json' }
import imagesStep from '../../../assets/copy/en/imagesStep.json' with { type: 'json' }
import measureStep from '../../../assets/copy/en/measureStep.json' with { type: 'json' }
import restore from '../../../assets/copy/en/restore.json' with { type: 'json' }
import settings from '../../../assets/copy/en/settings.json' with { type: 'json' }
import everywhere from '../../../assets/copy/en/window.json' with { type: 'json' }
import { type CopyKey, joinCopy, t, tMaybe } from '../../../renderer/src/copy'
import { APP_ERROR_CODES } from '../../../src/primitives/appError'

/** Words that the command line has too are not judged here. */
const copy = {
  ...everywhere,
  ...measureStep,
  ...bandsStep,
  ...chooseStep,
  ...imagesStep,
  ...restore,
  ...checks,
  ...settings,
}
const SOURCE = join(import.meta.dirname, '../../../renderer/src')
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(SOURCE, name), 'utf8') }))

describe('the words of the window', () => {
  it('choose their form by the count and write numbers with thousands', () => {
    expect(t('totals.files', { count: 1 })).toBe('1 file')
    expect(t('totals.files', { count: 0 })).toBe('0 files')
    expect(t('totals.files', { count: 78_579 })).toBe('78,579 files')
  })

  it('are refused when two files give words to one key', () => {
    expect(() => joinCopy({ 'column.spread': 'Spread' }, { 'column.spread': 'Range left' })).toThrow(
      'two copy files have the key "column.spread"',
    )
    expect(joinCopy({ 'column.spread': 'Spread' }, { 'column.spreadLeft': 'Range left' })).toEqual({
      'column.spread': 'Spread',
      'column.spreadLeft': 'Range left',
    })
  })

  it('show a message that lacks a value as it is written', () => {
    expect(t('rail.version')).toBe('Version {version}')
    expect(tMaybe('no.such.key', 'as said')).toBe('as said')
  })

  it.each(APP_ERROR_CODES.filter((code) => code !== 'cancelled'))('say what to do after "%s"', (code) => {
    expect(tMaybe(`error.${code}`, '')).toMatch(/^[A-Z].*\.$/)
  })

  it('shout nowhere', () => {
    expect(Object.values(copy).filter((text) => /!|oops|please|sorry/i.test(text))).toEqual([])
  })

  it('are all used: the code contains the key or its prefix', () => {
    const all = sources.map(({ text }) => text).join('\n')
    const families = [...all.matchAll(/[`']([a-zA-Z.]+\.)\$\{/g)].map((match) => match[1] ?? '')
    const unused = (Object.keys(copy) as CopyKey[]).filter(
      (key) => !all.includes(`'${key}'`) && !families.some((family) => key.startsWith(family)),
    )
    expect(unused).toEqual([])
  })
})

describe('the only way out', () => {
  it('is api.ts: no other file touches window.stowage', () => {
    expect(sources.filter(({ text }) => text.includes('window.stowage')).map(({ name }) => name)).toEqual([
      'api.ts',
    ])
  })

  it('holds Chart.js in the charts folder', () => {
    expect(
      sources
        .filter(({ name, text }) => text.includes("from 'chart.js'") && !name.startsWith('charts'))
        .map(({ name }) => name),
    ).toEqual([])
  })
})
