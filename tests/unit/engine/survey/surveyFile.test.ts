import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { openSurveyFile, saveSurveyFile } from '../../../../src/engine/survey/surveyFile'
import { saveSurvey } from '../../../support/catalogPlan'
import { temporaryFolder } from '../../../support/temporaryFolder'

let file: string
let other: Catalog
beforeEach(async () => {
  const folder = await temporaryFolder()
  file = join(folder, 'saved.json')
  const catalog = openCatalog(join(folder, 'one'))
  saveSurvey(catalog, 's-1', 'a.jpg')
  await saveSurveyFile(catalog, 's-1', file, false)
  catalog.close()
  other = openCatalog(join(folder, 'other'))
})
afterEach(() => other.close())

describe('a saved survey', () => {
  test.each([
    [
      'that was cut short between two lines',
      (text: string) => text.replace('\n]}\n', '\n'),
      /saved\.json: it is cut short/,
    ],
    [
      'whose path leads out of its folder',
      withField('path', '"b/../../c"'),
      /saved\.json: line 2 is not an entry/,
    ],
    ['with an absolute path', withField('path', '"/etc"'), /saved\.json: line 2 is not an entry/],
    ['with a folder that it does not have', withField('root', '7'), /saved\.json: line 2 is not an entry/],
    [
      'with a time beyond 64 bits',
      withField('mtimeNs', '"99999999999999999999"'),
      /saved\.json: line 2 is not an entry/,
    ],
    [
      'with an entry twice',
      (text: string) => text.replace(/\n(\{.*\})\n\]\}/, '\n$1,\n$1\n]}'),
      /saved\.json: two of its entries have one ID/,
    ],
  ])('%s is refused, and nothing of it is kept', async (_, changed, message) => {
    const text = readFileSync(file, 'utf8')
    expect(changed(text)).not.toBe(text)
    writeFileSync(file, changed(text))
    const refusal = { code: 'bad-input', message: expect.stringMatching(message) as unknown }
    await expect(openSurveyFile(other, file)).rejects.toMatchObject(refusal)
    writeFileSync(file, text)
    expect(await openSurveyFile(other, file)).toBe('s-1')
    expect([...other.surveyEntries('s-1')].map(({ path }) => path)).toEqual(['a.jpg'])
  })
})

function withField(name: string, value: string): (text: string) => string {
  const line = new RegExp(`(\\n\\{.*"${name}":)("[^"]*"|\\d+)`)
  return (text) => text.replace(line, `$1${value}`)
}
