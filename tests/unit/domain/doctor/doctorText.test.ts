import { expect, it } from 'vitest'
import { changedSettings } from '../../../../src/domain/doctor/changedSettings'
import {
  type DoctorDocument,
  doctorDocumentSchema,
  worstState,
} from '../../../../src/domain/doctor/doctorDocument'
import { doctorText } from '../../../../src/domain/doctor/doctorText'

const WELL: DoctorDocument = {
  schema: 'stowage.doctor/1',
  version: '0.1.0',
  state: 'ok',
  checks: [{ name: 'catalog', state: 'ok', found: 'there is none yet', cure: null }],
  system: { platform: 'linux', release: '6.1', arch: 'x64' },
  processor: { model: 'Some processor', cores: 8, form: 'avx2' },
  runtime: { node: '24.1.0', electron: null },
  memory: { totalBytes: 16e9, freeBytes: 4e9 },
  folders: [{ use: 'catalog', fileSystem: 'ext4', totalBytes: 1e12, freeBytes: 5e11 }],
  catalog: { bytes: null, version: null, newestVersion: 12 },
  settings: [],
  tools: [{ name: '7-Zip', version: null }],
  duckdb: null,
  drives: [],
  failures: [],
}

it('states the conclusion first, then each check, then the facts', () => {
  const lines = doctorText(doctorDocumentSchema.parse(WELL))
  expect(lines[0]).toBe('All 1 checks are ok.')
  expect(lines).toContain('  ok       catalog: there is none yet')
  expect(lines).toContain('Disk for the catalog: ext4, 500 GB free of 1.00 TB')
  expect(lines).toContain('  7-Zip: not found')
  expect(lines).toContain('Optical drives: none')
})

it('says what to do below a check that is not ok, and counts them', () => {
  const checks: DoctorDocument['checks'] = [
    { name: 'data folder', state: 'problem', found: 'cannot be written to', cure: 'Make it writable.' },
    { name: 'settings', state: 'warning', found: 'a fault', cure: 'Correct it.' },
    ...WELL.checks,
  ]
  const lines = doctorText({ ...WELL, checks, state: worstState(checks) })
  expect(lines[0]).toBe('1 problem and 1 warning in 3 checks.')
  expect(lines[lines.indexOf('  problem  data folder: cannot be written to') + 1]).toBe(
    `${' '.repeat(11)}Make it writable.`,
  )
})

it.each([
  [[], 'ok'],
  [['ok', 'warning'], 'warning'],
  [['problem', 'warning', 'ok'], 'problem'],
] as const)('of %j the worst state is %s', (states, worst) => {
  expect(worstState(states.map((state) => ({ name: '', state, found: '', cure: null })))).toBe(worst)
})

it('lists settings that differ from their defaults, without words of the person', () => {
  expect(
    changedSettings({
      units: 'binary',
      theme: 'system',
      exclude: ['/Anas diary'],
      'work-folder': '/home/ana/tmp',
    }),
  ).toEqual([
    { key: 'units', value: 'binary' },
    { key: 'work-folder', value: 'a folder of the person’s own' },
    { key: 'exclude', value: '1 of the person’s own' },
  ])
})
