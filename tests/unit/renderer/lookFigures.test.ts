import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../renderer/src/components/DataTable'
import { optionsCsv } from '../../../renderer/src/steps/choose/optionColumns'
import { optionsReport } from '../../../renderer/src/steps/choose/optionsReport'
import { OPTION_FIGURES, type OptionsDocument, optionsRequestSchema } from '../../../src/contract/dto/options'
import { fakeLook } from '../../fixtures/fakeEngine/fakeLook'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import { FakeWalks } from '../../fixtures/fakeEngine/fakeWalks'
import { buildSurvey, PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'

const walks = new FakeWalks(PHOTOGRAPHS)
const walkId = walks.make(['/media/photos'])
const look = fakeLook(walks.get(walkId), buildSurvey(PHOTOGRAPHS))

async function listed(): Promise<OptionsDocument> {
  const { list } = new FakeOptions({}, PHOTOGRAPHS, undefined, { find: () => look }).handlers(() => ({
    jobId: 'j',
  }))
  return list(optionsRequestSchema.parse({ surveyId: walkId, mediumIds: ['disk', 'bd-r-25'] }))
}

describe('the figures of a look', () => {
  it('are exact in no option but files as they are, and have a range everywhere else', async () => {
    const { options, preliminary } = await listed()
    expect(preliminary).toBeDefined()
    expect(options.length).toBeGreaterThan(5)
    for (const { id, variant, estimate } of options)
      for (const figure of OPTION_FIGURES) {
        const { provenance, value, low, high } = estimate[figure]
        if (figure === 'bytes' && variant !== 'plain') expect(provenance, id).not.toBe('exact')
        if (provenance === 'exact') expect([low, high], `${id} ${figure}`).toEqual([value, value])
        else expect(low, `${id} ${figure}`).toBeLessThanOrEqual(high)
      }
  })

  it('decide no goal that only a survey decides', async () => {
    const { recommended, presets, preliminary } = await listed()
    expect(preliminary?.undecided).toEqual(['smallest'])
    for (const { goal, because } of [...recommended, ...presets])
      expect(
        because.startsWith('Only a survey tells which option is the smallest.'),
        `${goal}: ${because}`,
      ).toBe(goal === 'smallest')
  })

  it('have their mark in the CSV and in the report, which say that they are preliminary', async () => {
    const document = await listed()
    const { header, rows } = csvOf(optionsCsv(document), document.options)
    const marks = header.flatMap((name, at) => (name.endsWith('_provenance') ? [at] : []))
    expect(marks.length).toBe(OPTION_FIGURES.length)
    expect(rows.length).toBe(document.options.length)
    for (const row of rows)
      for (const at of marks)
        expect(String(row[at]), header[at]).toMatch(/^(exact|measured|modelled|assumed)$/)
    const report = optionsReport(document, 'decimal')
    const cells = report.match(/<td class="n"[^>]*>.*?<\/td>/g) ?? []
    expect(cells.length).toBe(document.options.length * OPTION_FIGURES.length)
    for (const cell of cells) expect(cell).toMatch(/[■●◐○]/)
    expect(report).toContain('This is a preliminary estimate.')
  })
})
