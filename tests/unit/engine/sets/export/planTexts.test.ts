import { describe, expect, test } from 'vitest'
import type { PlanDocument, PlanPacking } from '../../../../../src/contract/dto/plan'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { planReadme, volumeReadme } from '../../../../../src/engine/sets/export/readmeText'
import { reportHtml } from '../../../../../src/engine/sets/export/reportHtml'
import { readmeFacts } from '../../../../../src/engine/sets/volume/open/givenVolumes'
import { formatCount } from '../../../../../src/primitives/quantity'

const time = {
  value: 60,
  low: 50,
  high: 90,
  confidence: 0.95,
  provenance: 'modelled',
  basis: 'a test',
} as const
const times = { pack: null, build: time, write: time, verify: time, restore: time }

const PLAN: PlanDocument = {
  schema: 'stowage.plan/2',
  id: 'p-0123456789ab',
  createdWallMs: 1_700_000_000_000,
  surveyId: 's-0123456789ab',
  roots: ['/home/ana/Fotos & mehr'],
  project: { id: 'pr-0123456789ab', name: 'Fotos' },
  medium: resolveMedium(mediaCatalogue, 'bd-r-25'),
  equalFiles: 'once',
  excluded: {
    files: 1204,
    bytes: 3_100_000_000,
    folders: 2,
    counted: false,
    rules: [{ pattern: '*.tmp', from: 'given', files: 1204, folders: 2, bytes: 3_100_000_000 }],
  },
  totals: {
    files: 12_345,
    folders: 2,
    symlinks: 0,
    bytes: 20_123_456_789,
    volumes: 1,
    splitFiles: 0,
    lowerBoundVolumes: 1,
  },
  mastering: { tool: 'stowage', version: '0.1.0', options: [], volumeDateWallMs: 0 },
  volumes: [],
  times: {
    total: times,
    volumes: [],
    burn: {
      from: 'files',
      seconds: time,
      bottleneck: 'writer',
      bufferBytes: 4_194_304,
      disc: { index: 1, seconds: 500, unbufferedSeconds: 700, smallFirstSeconds: 300, smallLastSeconds: 600 },
    },
  },
  problems: [],
} as unknown as PlanDocument

const PACKING = {
  recipe: '7z-files',
  arrangement: 'joined',
  encryption: 'aes-256',
  bytes: { ...time, low: 1_500_000, high: 2_500_000 },
} as unknown as PlanPacking

const VOLUME = { index: 2, label: 'FOTOS_02', volumes: 1234, payloadName: 'STOWAGE', hasRejoin: true }

describe('the report of a plan', () => {
  test('is in German with German figures, and leaves the figures of all else English', () => {
    const html = reportHtml({ ...PLAN, packing: PACKING }, 'de')
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('20.123.456.789 Bytes (20,1 GB, 18,7 GiB)')
    expect(html).toContain('verschlüsselt (AES-256)')
    expect(html).toContain(
      '1.204 Dateien, 3,10 GB, und 2 Ordner mit ihrem ganzen Inhalt, nicht gezählt, durch 1 Regel',
    )
    expect(html).toContain('das Laufwerk begrenzt')
    expect(html).toContain('/home/ana/Fotos &amp; mehr')
    expect(formatCount(1204)).toBe('1,204')
  })

  test('has no English words of its own in German', () => {
    const shown = (language: 'en' | 'de') =>
      reportHtml(PLAN, language)
        .replace(/<style>[\s\S]*<\/style>/, '')
        .split(/<[^>]*>/)
        .filter((text) => /[a-z]{4}/i.test(text))
    const own = new Set(['Medium', 'Plan', 'Bytes'])
    const names = /Fotos|p-0|pr-0|\*\.tmp|BD-R/
    expect(
      shown('de').filter((text) => shown('en').includes(text) && !own.has(text) && !names.test(text)),
    ).toEqual([])
  })
})

describe('the readme of a volume', () => {
  test('in German has the lines that programs read first, then German, then all of the English one', () => {
    const english = volumeReadme(PLAN, VOLUME)
    const german = volumeReadme({ ...PLAN, language: 'de' }, VOLUME)
    expect(readmeFacts(german)).toEqual(readmeFacts(english))
    expect(readmeFacts(german)).toEqual({
      createdWallMs: expect.any(Number),
      number: 2,
      label: 'FOTOS_02',
      planId: PLAN.id,
      projectId: PLAN.project?.id,
    })
    expect(german.endsWith(english)).toBe(true)
    expect(german).toContain('Dies ist Datenträger 2 von 1234, FOTOS_02, eines Archivs')
    expect(german).toContain('sh STOWAGE/REJOIN.sh ZIELORDNER')
  })

  test('of an encrypted set names neither the source nor the project, in no language', () => {
    const text = volumeReadme({ ...PLAN, packing: PACKING, language: 'de' }, VOLUME)
    expect(text).not.toMatch(/Fotos|ana|\.tmp/)
    expect(readmeFacts(text).projectId).toBe(PLAN.project?.id)
    expect(text).toContain(
      'die Archive aller Datenträger, mit Größe und SHA-256; die Dateien sind in INDEX.7z',
    )
  })
})

test('the readme of a plan is in the language that is asked for', () => {
  expect(planReadme(PLAN, 'de')).toMatch(
    /^Plan p-0123456789ab: 12\.345 Dateien auf 0 Datenträgern \(.*\)\.\n/,
  )
  expect(planReadme(PLAN, 'de')).toContain('Die Quellen müssen noch an den Pfaden sein')
  expect(planReadme(PLAN, 'en')).toMatch(/^Plan p-0123456789ab: 12,345 files on 0 volumes /)
})
