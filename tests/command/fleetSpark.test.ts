import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sparkCommandSchema } from '../../src/domain/fleet/sparkCommand'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

/** Every character that a shell could take for something else, a line break among them. */
const HOSTILE = 'pr ints\'"$(touch caught)`x`&;|<>*?[a]{b,c}~#!%20\\ü\nnext'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-spark-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]): Promise<CommandEnd> {
  return stowage(['fleet', 'spark-command', ...args], { home: join(folder, 'home') })
}

/** Fingerprints of a small file. */
async function prints(name: string): Promise<string> {
  const source = join(folder, 'source')
  mkdirSync(source, { recursive: true })
  writeFileSync(join(source, 'a file'), 'a content')
  const into = join(folder, name)
  const end = await stowage(['survey', source, '--samples', 'none', '--fingerprints', into], {
    home: join(folder, 'home'),
  })
  expect(end.code, end.stderr).toBe(0)
  return into
}

describe('fleet spark-command', () => {
  it('prints a line that a shell reads as the words of --json, whatever is in a name', async () => {
    const place = await prints(HOSTILE)
    const args = [place, 's3a://bucket/a b$HOME', '--conf', 'spark.x=a b;$(touch caught)', '--table', 'pairs']
    const [shown, words] = [await run(...args), await run(...args, '--json')]
    expect(shown.code, shown.stderr).toBe(0)
    const document = sparkCommandSchema.parse(JSON.parse(words.stdout))
    expect(document.words.slice(-2)).toEqual([`file://${place}`, 's3a://bucket/a b$HOME'])
    const read = execFileSync(
      'bash',
      ['-c', `spark-submit() { printf '%s\\0' "$0" "$@"; }\n${shown.stdout}`],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    expect(read.split('\0').slice(1, -1)).toEqual(document.words.slice(1))
    expect(readdirSync(folder)).not.toContain('caught')
    expect(shown.stderr).toContain('every machine of the cluster must see')
  })

  it('puts the job and the SQL text of fleet report into the data folder, and mends them', async () => {
    const { words } = sparkCommandSchema.parse(JSON.parse((await run('s3a://b/x', '--json')).stdout))
    const program = words.find((word) => word.endsWith('.py')) ?? ''
    const sql = join(program, '../../sql')
    expect(program.startsWith(join(folder, 'home'))).toBe(true)
    for (const name of readdirSync('fleet/sql'))
      expect(readFileSync(join(sql, name), 'utf8')).toBe(readFileSync(join('fleet/sql', name), 'utf8'))
    expect(readFileSync(program, 'utf8')).toBe(readFileSync('fleet/spark/fleet_spark.py', 'utf8'))
    writeFileSync(join(sql, 'own.sql'), 'edited')
    await run('s3a://b/x')
    expect(readFileSync(join(sql, 'own.sql'), 'utf8')).toBe(readFileSync('fleet/sql/own.sql', 'utf8'))
  })

  it('refuses folders without fingerprints and one survey twice, and writes nothing', async () => {
    const place = await prints('prints')
    rmSync(join(folder, 'home'), { recursive: true })
    const missing = await run(join(folder, 'nowhere'))
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('nowhere')
    const foreign = await run(folder)
    expect(foreign.code).toBe(2)
    expect(foreign.stderr).toContain('there are no fingerprints in it')
    const twice = await run(place, place)
    expect(twice.code).toBe(2)
    expect(twice.stderr).toMatch(/survey s-[0-9a-f]+ is given twice/)
    expect((await run(place, '--master', 'slurm')).stderr).toContain('--master takes')
    expect(readdirSync(join(folder, 'home'))).not.toContain('fleet')
  })
})
