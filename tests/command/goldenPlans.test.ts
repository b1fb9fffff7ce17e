import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { planDocumentSchema, planRequestSchema } from '../../src/contract/dto/plan'
import { surveyRequestSchema } from '../../src/contract/dto/survey'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { buildJob } from '../../src/engine/sets/building/buildJob'
import { exportJob } from '../../src/engine/sets/export/exportJob'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { sketchFolder } from '../../src/engine/survey/sketchFolder'
import { sourcePath } from '../../src/engine/survey/sourceEntries'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import type { Milliseconds } from '../../src/primitives/clock'
import type { Estimate } from '../../src/primitives/estimate'
import { runJob } from '../support/archiveRun'
import { GOLDEN_PLANS, type GoldenPlan, type Step } from '../support/goldenPlans'
import { writeState } from '../support/goldenSource'
import { mostlyLong } from '../support/mostlyLong'
import { onlyRun } from '../support/onlyRun'

/** A quick one of each kind. */
const QUICK = new Set(['plain', 'plain placed', 'plain parity', 'once', 'grown protected', '7z discs'])

/** 2026-01-02 03:04:05 UTC. */
const AT = 1_767_323_045_000 as Milliseconds

/** Lists, scripts and plans name the folder of the source: it is the same for every run. */
const HERE = '/tmp/stowage-golden'
const SOURCE = join(HERE, 'source')

let alone: Server | null = null
beforeAll(async () => {
  alone = await onlyRun('stowage-golden')
})
afterAll(() => {
  rmSync(HERE, { recursive: true, force: true })
  alone?.close()
})
beforeEach(() => {
  rmSync(HERE, { recursive: true, force: true })
  mkdirSync(SOURCE, { recursive: true })
})

/**
 * What a plan and its volumes are, to the byte: whoever changes how they are made sees here what
 * else changes. Clock, IDs and owners are given, so that they are the same everywhere. Packed files
 * are by 7-Zip as package.json pins it and mksquashfs 4.5.1; the version of Stowage is on every
 * volume. `-u` records them anew.
 */
mostlyLong(test, GOLDEN_PLANS, ({ name }) => QUICK.has(name))(
  'the plan and its volumes are the same to the byte: $name',
  async (golden) => {
    const facts = await recorded(golden)
    await expect(facts).toMatchFileSnapshot(`../fixtures/goldenPlans/${golden.name}.txt`)
  },
)

async function recorded({ steps }: GoldenPlan): Promise<string> {
  const home = join(HERE, 'home')
  const catalog = openCatalog(home)
  const sketches = sketchFolder(home)
  let ids = 0
  let elapsed = 0
  const options = {
    clock: { wallMs: () => AT, monotonicMs: () => elapsed++ as Milliseconds },
    newId: (prefix: string) => `${prefix}-${String(++ids).padStart(12, '0')}`,
  }
  const plans: string[] = []
  const facts: string[] = []
  try {
    for (const [generation, step] of steps.entries()) {
      writeState(SOURCE, generation)
      const wanted = { paths: [SOURCE], sha256: true, maxMemoryBytes: 64 * 1024 * 1024 }
      const samples = [undefined, 'plain-hardlinks'].includes(step.request.recipe) ? 'none' : 'fast'
      const request = surveyRequestSchema.parse({ ...wanted, samples })
      const surveyId = await runJob(surveyJob(request, { catalog, sketches, checkpointMs: 60_000 }), options)
      const addTo = plans.at(-1)
      const planId = await runJob(
        planJob(
          { catalog, ownershipOf: ownedByOne },
          planRequestSchema.parse({ ...step.request, surveyId, ...(addTo && { addTo }) }),
        ),
        options,
      )
      if (typeof planId !== 'string') throw new Error('no plan')
      plans.push(planId)
      const directory = join(HERE, `plan ${generation + 1}`)
      await runJob(exportJob({ catalog }, { planId, directory, force: false }), options)
      if (step.isBuilt) await built(catalog, directory, step, options)
      facts.push(`# ${generation + 1}\n${factsOf(directory)}`)
    }
  } finally {
    await sketches.settled()
    catalog.close()
  }
  return facts.join('\n')
}

async function built(
  catalog: ReturnType<typeof openCatalog>,
  directory: string,
  { isStreamed = false }: Step,
  options: Parameters<typeof runJob>[1],
): Promise<void> {
  const request = {
    directory,
    volumes: [],
    force: false,
    stream: isStreamed,
    changed: 'fail' as const,
    password: null,
  }
  const result = await runJob(buildJob({ catalog }, request), options)
  expect(typeof result, JSON.stringify(result)).toBe('string')
}

const ownedByOne: NonNullable<Parameters<typeof planJob>[0]['ownershipOf']> = (source) => {
  const owner = { uid: 1000, gid: 100, user: 'anna', group: 'users' }
  const entries = [...source.entries.values()].filter(({ kind }) => kind !== 'hardLink')
  return Promise.resolve({
    byEntry: new Map(entries.map(({ id }) => [id, { owner }])),
    created: new Map(entries.map((entry) => [entry.id, createdNs(sourcePath(source, entry))])),
    problems: [],
  })
}

/** A time for each name. */
function createdNs(path: string): bigint {
  return 1_600_000_000_000_000_000n + BigInt(Buffer.from(path).reduce((sum, byte) => sum + byte, 0))
}

/** Every file of a plan's folder by digest, length and path, and the plan itself. */
function factsOf(directory: string): string {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !IS_TIMED.test(name) && lstatSync(join(directory, name)).isFile())
    .toSorted()
  const lines = names.map((name) => {
    const content = readFileSync(join(directory, name))
    return `${createHash('sha256').update(content).digest('hex')} ${content.length} ${name}\n`
  })
  const text = readFileSync(join(directory, 'plan.json'), 'utf8')
  const { times: _, lists = [], ...plan } = planDocumentSchema.parse(JSON.parse(text))
  const untimed = lists.filter(({ path }) => !IS_TIMED.test(path))
  const { packing } = plan
  const packed = packing && { packing: { ...packing, bytes: withoutValues(packing.bytes) } }
  return `${lines.join('')}${JSON.stringify({ ...plan, ...packed, lists: untimed }, null, 1)}\n`
}

/** How much of the samples codecs see is a matter of CPU time: on a busy machine bytes differ by a few. */
function withoutValues({ value, low, high, ...about }: Estimate): Omit<Estimate, 'value' | 'low' | 'high'> {
  expect([low, value, high]).toEqual([low, value, high].toSorted((one, other) => one - other))
  return about
}

/** They say how long this machine is expected to take, or took. */
const IS_TIMED = /^(runs\/|report\.html$|(packed\/)?plan\.json$)/
