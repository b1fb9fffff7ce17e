import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ENTRY = join(import.meta.dirname, '../../../renderer/src/entry.tsx')
const IMPORT = /^(?:import|export)\s(?!type\b)[^'"]*?from '(\.[^']+)'/gm

/** Files of which the bundle of the window has other functions than those with such calls. */
const NOT_BUNDLED = [
  'src/domain/sets/growing/growth.ts',
  'src/domain/sets/volumeChecks.ts',
  'src/domain/sets/volumeState.ts',
  'src/domain/statistics/estimateTotal.ts',
  'src/domain/statistics/quantiles.ts',
]

/** The files that the window's page is made of. */
function filesOfWindow(): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (file: string): void => {
    const path = ['.ts', '.tsx'].map((ending) => file + ending).find((each) => existsSync(each)) ?? file
    if (texts.has(path) || !/\.tsx?$/.test(path)) return
    const text = readFileSync(path, 'utf8')
    texts.set(path, text)
    for (const [, from = ''] of text.matchAll(IMPORT)) add(join(dirname(path), from))
  }
  add(ENTRY)
  return texts
}

it('the window calls nothing that Chromium 108 lacks, where it would stay empty', () => {
  const files = [...filesOfWindow()]
  expect(files.length).toBeGreaterThan(200)
  const tooNew = files.flatMap(([file, text]) => {
    const [call] = /\b(?:Map|Object)\.groupBy\(|\.to(?:Sorted|Reversed|Spliced)\(/.exec(text) ?? []
    return call === undefined || NOT_BUNDLED.some((each) => file.endsWith(each)) ? [] : [`${file}: ${call}`]
  })
  expect(tooNew).toEqual([])
})
