import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Option, type OptionsDocument, optionsRequestSchema } from '../../src/contract/dto/options'
import type { SurveyLive } from '../../src/contract/dto/survey'
import { wordsOf } from '../support/builtOption'
import { surveyEngine } from '../support/surveyEngine'
import { temporaryFolder } from '../support/temporaryFolder'

const VARIANTS = ['files-zstd-3', '7z-files', '7z-solid-1m-path', 'squashfs-zstd-3-128k']

function widthOf({ options }: OptionsDocument, variant: string): number {
  const one = options.find((each): each is Option => each.variant === variant)
  return one ? (one.estimate.bytes.high - one.estimate.bytes.low) / one.estimate.bytes.value : 0
}

it('options of a survey are listed while its samples are compressed, with ranges that hold what they become', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  mkdirSync(source)
  for (let index = 0; index < 60; index++)
    writeFileSync(join(source, `${index}.txt`), wordsOf(index, 30_000 + 1000 * index))
  const { engine, begin } = surveyEngine(join(folder, 'home'))
  const listed = async (surveyId: string): Promise<OptionsDocument> =>
    engine.handlers.options.list(optionsRequestSchema.parse({ surveyId }))

  let during: Promise<OptionsDocument> | undefined
  const onLive = ({ surveyId, compression }: SurveyLive): void => {
    if (surveyId !== undefined && compression !== undefined) during ??= listed(surveyId)
  }
  const { ended } = await begin([source], { samples: 'fast' }, () => {}, onLive)
  const { resultId } = await ended
  const [before, after] = [await during, await listed(resultId ?? '')]
  await engine.close()

  if (!before) throw new Error('nothing was known before the survey ended')
  for (const variant of VARIANTS) {
    expect(widthOf(before, variant), variant).toBeGreaterThan(widthOf(after, variant))
    const [early, late] = [before, after].map(
      ({ options }) => options.find((one) => one.variant === variant)?.estimate.bytes,
    )
    expect(late?.value, variant).toBeGreaterThanOrEqual(early?.low ?? Number.POSITIVE_INFINITY)
    expect(late?.value, variant).toBeLessThanOrEqual(early?.high ?? 0)
  }
})
