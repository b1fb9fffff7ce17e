import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { CASES } from '../../../../../src/domain/sets/labels/cases'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { volumeTexts } from '../../../../../src/engine/sets/labels/labelTextsOf'
import { makeLabels } from '../../../../../src/engine/sets/labels/makeLabels'
import { planDocument } from '../../../../support/catalogPlan'
import { noNotes } from '../../../../support/noNotes'

const folder = mkdtempSync(join(tmpdir(), 'stowage-labels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('labels of a plan', () => {
  it('fit the case of each volume’s own medium', async () => {
    const bd = resolveMedium(mediaCatalogue, 'bd-r-25')
    const [first, second] = planDocument('p-0123456789ab', 's-0123456789ab', 2).volumes
    if (!first || !second) throw new Error('no volumes')
    const plan = {
      ...planDocument('p-0123456789ab', 's-0123456789ab', 2),
      firstMedia: [{ medium: bd, volumes: 1 }],
      volumes: [{ ...first, mediumId: bd.id }, second],
    }
    const directory = join(folder, 'plan')
    mkdirSync(directory)
    writeFileSync(join(directory, 'plan.json'), JSON.stringify(plan))
    const out = join(folder, 'labels')
    const { drawings } = await makeLabels({ directory, out, volumes: [], paper: 'a4', force: false }, noNotes)
    const heightOf = (label: string): string | undefined => {
      const sheet = drawings.find((path) => path.includes(label) && !path.endsWith('-disc.svg')) ?? ''
      return /height="([\d.]+)mm"/.exec(readFileSync(sheet, 'utf8'))?.[1]
    }
    expect([heightOf('A_01'), heightOf('A_02')].map(Number)).toEqual([CASES.bd.height, CASES.cd.height])
  })

  it('are made once more after a run that was killed, and replace no other file', async () => {
    const directory = join(folder, 'killed plan')
    mkdirSync(directory)
    writeFileSync(
      join(directory, 'plan.json'),
      JSON.stringify(planDocument('p-0123456789ab', 's-0123456789ab', 2)),
    )
    const out = join(folder, 'killed labels')
    const request = { directory, out, volumes: [], paper: 'a4' as const, force: false }
    const { drawings } = await makeLabels(request, noNotes)
    rmSync(drawings.at(-1) ?? '')
    await makeLabels(request, noNotes)
    expect(readFileSync(drawings.at(-1) ?? '', 'utf8')).toContain('<svg')
    writeFileSync(drawings[0] ?? '', 'mine')
    await expect(makeLabels(request, noNotes)).rejects.toThrow('is already there (--force replaces it)')
    expect(readFileSync(drawings[0] ?? '', 'utf8')).toBe('mine')
  })

  it('give a folder of a volume without content no part of it', () => {
    const plan = planDocument('p-0123456789ab', 's-0123456789ab', 1)
    const [volume] = plan.volumes
    if (!volume) throw new Error('no volume')
    const empty = { ...volume, bytes: 0, shares: [{ path: 'empty', files: 2, bytes: 0 }] }
    const { folders } = volumeTexts(empty, { plan, setId: undefined, copy: undefined, language: 'en' })
    expect(folders.map(({ part }) => part)).toEqual([0])
  })
})
