import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentNames, documentSchema } from '../../src/contract/documents'
import { commandInProcess } from '../fixtures/commandInProcess'

/** Printed by commands that time disks, need optical drives or damage, or work with other programs. */
const NOT_PRINTED_HERE = [
  'stowage.measurement/1',
  'stowage.measureComparison/1',
  'stowage.bandSweep/1',
  'stowage.optionBuild/1',
  'stowage.runs/1',
  'stowage.rebuild/1',
  'stowage.repair/1',
  'stowage.acknowledged/1',
  // Compared with their schemas in tests/tools/fleetReport.test.ts and fleetKept.test.ts.
  'stowage.fleetReport/1',
  'stowage.fleetPart/1',
  'stowage.fleetKept/1',
]

const ajv = new Ajv2020({ allErrors: true })
const seen = new Set<string>()
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-schemas-'))
  mkdirSync(join(folder, 'source/Ärger'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'Ärger/c.bin'])
    writeFileSync(join(folder, 'source', name), `content of ${name}\n`.repeat(2000))
  writeFileSync(join(folder, 'source/copy.txt'), 'content of a.txt\n'.repeat(2000))
  writeFileSync(
    join(folder, 'set.dat'),
    `clrmamepro ( name "Set" )\ngame ( name "one" rom ( name a.txt size 34000 crc 00000000 ) )\n`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command with `--json` and compares the document with the JSON Schema of its name. */
async function printed(
  ...args: readonly string[]
): Promise<{ readonly schema: string } & Record<string, unknown>> {
  const end = await commandInProcess([...args, '--json'], { home: join(folder, 'home') })
  expect(end.stdout, `${args.join(' ')}: ${end.stderr}`).not.toBe('')
  const document = JSON.parse(end.stdout)
  const schema = documentSchema(document.schema)
  expect(schema, document.schema).not.toBeNull()
  const validate =
    ajv.getSchema(document.schema) ?? ajv.addSchema(schema ?? {}, document.schema).getSchema(document.schema)
  validate?.(document)
  expect(validate?.errors ?? [], `${args.join(' ')}: ${document.schema}`).toEqual([])
  seen.add(document.schema)
  return document
}

describe('the JSON Schemas', () => {
  it('are valid themselves, one for each name', () => {
    expect(documentNames().length).toBeGreaterThan(40)
    for (const name of documentNames()) {
      const schema = documentSchema(name)
      expect(ajv.validateSchema(schema ?? {}), name).toBe(true)
      expect(schema).toMatchObject({ title: name, $schema: 'https://json-schema.org/draft/2020-12/schema' })
    }
    expect(documentSchema('stowage.none/1')).toBeNull()
  })

  it('hold for what commands print', async () => {
    const at = (name: string): string => join(folder, name)
    const source = at('source')
    const { id } = await printed('survey', source, '--samples', 'fast')
    const survey = ['--survey', String(id)]
    await printed('survey', source, '--samples', 'none', '--fingerprints', at('fingerprints'))
    await printed('survey', 'fingerprints', at('fingerprints'))
    await printed('fleet', 'spark-command', at('fingerprints'), '--master', 'local')
    await printed('survey', ...survey, '--table', 'kept', '--table', 'duplicates')
    await printed('survey', source, '--dry-run')
    await printed('survey', source, '--print-config')
    await printed('look', source)
    await printed('look', source, '--draft', '--medium', 'custom:4MB')
    await printed('roms', source, '--dat', at('set.dat'))
    const other = await printed('survey', join(source, 'Ärger'), '--samples', 'none')
    await printed('survey', 'merge', String(id), String(other['id']))
    await printed('options', ...survey, '--medium', 'custom:4MB')
    await printed('compare')
    for (const more of [['--compare'], ['--compare-protection']])
      await printed('plan', ...survey, '--medium', 'custom:4MB', ...more)
    const planned = ['--archive', 'Ana', '--medium', 'custom:4MB', '--out', at('plan')]
    const plan = await printed('plan', source, ...planned)
    const planId = String(plan['id'])
    await printed('build', at('plan'))
    await printed('verify', at('plan'))
    await printed('write', at('plan'), '--to', at('disk'))
    const [image = ''] = readdirSync(at('disk')).map((name) => join(at('disk'), name))
    await printed('verify', image)
    await printed('verify', '--due', '--within', '900d')
    await printed('restore', image, '--to', at('restored'))
    await printed('restore', planId, '--list-volumes')
    await printed('drill', image, '--copy', '1')
    await printed('labels', at('plan'), '--out', at('labels'))
    await printed('safe', source)
    await printed('catalog', 'export', '--parquet', at('catalogs'))
    await printed('find', '*.txt')
    for (const action of [['list'], ['status'], ['every', '6mo', planId]]) await printed('catalog', ...action)
    await printed('catalog', 'remove', String(other['id']))
    await printed('archives')
    await printed('archives', 'show', 'Ana')
    await printed('add', 'Ana')
    await printed('archives', 'forget', 'Ana')
    await printed('image', 'create', at('a.dmg'), '--size', '1MB')
    await printed('image', 'verify', at('a.dmg'), '--sha256')
    await printed('project', 'init', at('p.stowage.yaml'), source)
    await printed('project', 'show', at('p.stowage.yaml'))
    await printed('project', 'check', at('p.stowage.yaml'))
    await printed('measure', '--list')
    await printed('bands', '--list')
    await printed('media', '--price', 'bd-r-25=0.85EUR')
    for (const command of ['config list', 'doctor', 'tools', 'drives', 'completion bash', 'schema'])
      await printed(...command.split(' '))
    await printed('sample', at('sample'))
    expect([...seen, ...NOT_PRINTED_HERE].toSorted()).toEqual(documentNames().toSorted())
  })

  it('refuse a document without a field, or with a field of another kind', async () => {
    const { schema, ...media } = await printed('media')
    const validate = ajv.getSchema(schema)
    expect(validate?.({ schema, ...media })).toBe(true)
    expect(validate?.({ schema, ...media, media: 3 })).toBe(false)
    expect(validate?.({ schema, media: media['media'] })).toBe(false)
  })
})

describe('stowage schema', () => {
  it('prints the schema by the whole and the short name, and lists the names', async () => {
    const run = (...args: readonly string[]) =>
      commandInProcess(['schema', ...args], { home: join(folder, 'home') })
    const { stdout } = await run('stowage.survey/1')
    expect(JSON.parse(stdout)).toEqual(documentSchema('stowage.survey/1'))
    expect((await run('survey')).stdout).toBe(stdout)
    expect((await run()).stdout).toContain('stowage.survey/1\n')
    expect((await run('surve')).stderr).toMatch(/no document "surve": did you mean "survey"\?/)
  })
})
