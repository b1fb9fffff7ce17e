import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { makeClashingTree } from '../fixtures/clashingTree'
import { makeHostileTree } from '../fixtures/hostileTree'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { treeContents, treeFacts } from '../support/treeFacts'
import { stowageUnderWine, winePath } from '../support/wine'

/** Names that Windows has uses for, cuts, or takes for one; through `\\?\` it holds all but the last pair. */
const DEVICES = ['CON', 'nul.txt', 'COM1.jpg', 'folder/aux', 'lpt9.tar.gz']
const ENDS = ['dot.', 'blank ', 'both. .', 'folder./inside ', ' lead', '%TEMP%', '!x! & ^y']
const ONE_IN_ANY_CASE = ['a.txt', 'A.TXT', 'Case/x', 'CASE/y']

async function places(): Promise<Record<'folder' | 'source' | 'plan' | 'back' | 'home', string>> {
  const folder = await temporaryFolder()
  const at = (name: string): string => join(folder, name)
  return { folder, source: at('source'), plan: at('plan'), back: at('back'), home: at('home') }
}

function put(root: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    writeFileSync(join(root, name), `the content of ${name}`)
  }
}

/** A file below folders of 200 characters each; made with relative names, as whole paths are too long for the system. */
function putDeep(root: string, characters: number): void {
  const before = process.cwd()
  process.chdir(root)
  try {
    for (let length = root.length; length + 201 < characters - 10; length += 201) {
      mkdirSync('d'.repeat(200))
      process.chdir('d'.repeat(200))
    }
    writeFileSync('treasure', 'deep down')
  } finally {
    process.chdir(before)
  }
}

function digestsBelow(root: string): string[] {
  return Object.entries(treeFacts(root))
    .filter(([path, { kind }]) => kind === 'file' && path !== 'RESTORED-NAMES.tsv')
    .map(([, { content }]) => content)
    .toSorted()
}

/** The names of files in a target with the names that they have in the set. */
function renamedIn(root: string): string[] {
  const lines = readFileSync(join(root, 'RESTORED-NAMES.tsv'), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).slice(1)
}

describe('hostile names on Windows', () => {
  it('of a source all come back, and what Windows cannot open is named', async () => {
    const { folder, source, plan, back, home } = await places()
    put(source, [...DEVICES, ...ENDS, ...ONE_IN_ANY_CASE])
    mkdirSync(join(source, 'deep'))
    putDeep(join(source, 'deep'), 3900)
    const before = treeContents(source)
    put(source, ['what?', 'a<b>|c'])
    const documentOf = ({ stdout }: { stdout: string }): SurveyDocument =>
      surveyDocumentSchema.parse(JSON.parse(stdout))
    const how = ['--json', '--samples', 'none']

    const there = await stowageUnderWine(['survey', winePath(source), ...how], { home })
    expect(there.code, there.stderr).toBe(3)
    const { skipped, totals } = documentOf(there)
    expect(skipped.map(({ path }) => path.slice(winePath(source).length + 1))).toEqual(
      expect.arrayContaining(['a<b>|c', 'what?']),
    )
    for (const { message } of skipped) expect(message).toMatch(/: Windows cannot open this name$/)
    const here = documentOf(await stowage(['survey', source, ...how], { home: join(folder, 'here') }))
    expect(totals).toMatchObject({ files: here.totals.files - 2, folders: here.totals.folders, skipped: 2 })

    const out = ['--medium', 'custom:1MB', '--out', winePath(plan)]
    const planned = await stowageUnderWine(['plan', winePath(source), ...out], { home })
    expect(planned.code, planned.stderr).toBe(3)
    expect(`${planned.stdout}${planned.stderr}`).toContain('2 paths could not be read')
    const built = await stowageUnderWine(['build', winePath(plan)], { home })
    expect(built.code, built.stderr).toBe(0)

    const onLinux = await stowage(['restore', plan, '--to', join(folder, 'linux')], {
      home: join(folder, 'here'),
    })
    expect(onLinux.code, onLinux.stderr).toBe(0)
    expect(treeContents(join(folder, 'linux'))).toEqual(before)

    const restored = await stowageUnderWine(['restore', winePath(plan), '--to', winePath(back)], { home })
    expect(restored.code, restored.stderr).toBe(0)
    expect(digestsBelow(back)).toEqual(digestsBelow(join(folder, 'linux')))
    // Wine finds a name in any case, as Windows does.
    expect(renamedIn(back).toSorted()).toEqual(['Case~1\tCase\t', 'a~1.txt\ta.txt\t'])
    const own = treeContents(back).filter((line) => !/~1|RESTORED-NAMES/.test(line))
    expect(before).toEqual(expect.arrayContaining(own))
    expect(own.length).toBe(before.length - 3)
  })

  it('are surveyed in paths of 32,000 characters, and a file out of reach is named before anything is made', async () => {
    const { source, plan, home } = await places()
    mkdirSync(source)
    // Node cannot remove it.
    onTestFinished(() => void execFileSync('rm', ['-rf', source]))
    putDeep(source, 32_000)
    const how = ['--json', '--samples', 'none', '--sha256']
    const there = await stowageUnderWine(['survey', winePath(source), ...how], { home })
    expect(there.code, there.stderr).toBe(0)
    const { totals, skipped } = surveyDocumentSchema.parse(JSON.parse(there.stdout))
    expect(skipped).toEqual([])
    expect(totals).toMatchObject({ files: 1, bytes: 9 })
    expect(totals.pathBytes).toBeGreaterThan(31_500)
    // Wine opens no path of more than 4,096 bytes at once; Windows does.
    const out = ['--medium', 'custom:1MB', '--out', winePath(plan)]
    const planned = await stowageUnderWine(['plan', winePath(source), ...out], { home })
    expect(planned.code, planned.stderr).not.toBe(0)
    expect(planned.stderr).toMatch(/^stowage: cannot plan Z:\/.*\/treasure: [^\n]*\n$/m)
    expect(existsSync(plan)).toBe(false)
  })

  it.each([
    ['disc images', []],
    ['7z archives', ['--option', '7z-solid-1m-path']],
  ])('of a set of %s from Linux are restored or listed', async (_name, option) => {
    const { folder, source, plan, back, home } = await places()
    makeHostileTree(source, { seed: 40 })
    // 7-Zip for Windows lists both of a pair alike.
    for (const place of ['.', 'fol"der\n=\\']) rmSync(join(source, place, 'new_line'))
    makeClashingTree(join(source, 'clashes'), { seed: 40, names: 120 })
    put(source, [...DEVICES, ...ENDS, ...ONE_IN_ANY_CASE])
    const onLinux = { home: join(folder, 'linux') }
    const planned = await stowage(
      ['plan', source, '--medium', 'custom:4MB', '--out', plan, ...option],
      onLinux,
    )
    expect(planned.code, planned.stderr).toBe(0)
    const built = await stowage(['build', plan], onLinux)
    expect(built.code, built.stderr).toBe(0)

    const args = ['restore', winePath(plan), '--to', winePath(back)]
    const restored = await stowageUnderWine([...args, '--json'], { home })
    // The symbolic links are left out.
    expect(restored.code, restored.stderr).toBe(3)
    const document = JSON.parse(restored.stdout) as {
      damaged: []
      missing: []
      differing: []
      renamed: number
    }
    expect(document).toMatchObject({ damaged: [], missing: [], differing: [] })
    expect(digestsBelow(back)).toEqual(digestsBelow(source))
    const renamed = renamedIn(back)
    expect(renamed.filter((line) => !line.startsWith('\t')).length).toBe(document.renamed)
    const names = Object.keys(treeFacts(back))
    for (const name of [...DEVICES, ...ENDS]) expect(names).toContain(name)

    const again = await stowageUnderWine([...args, '--json'], { home })
    expect(JSON.parse(again.stdout)).toMatchObject({ restored: 0, kept: digestsBelow(source).length })

    const original = join(folder, 'original')
    const named = await stowage(['restore', '--original-names', back, '--to', original], onLinux)
    expect(named.code, named.stderr).toBe(0)
    expect(treeContents(original)).toEqual(treeContents(source))
  })

  it('of devices are refused for a 7z archive, which would hold empty files instead', async () => {
    const { source, plan, home } = await places()
    put(source, [...ENDS, 'folder/aux'])
    const how = ['--medium', 'custom:1MB', '--option', '7z-files', '--out', winePath(plan)]
    const planned = await stowageUnderWine(['plan', winePath(source), ...how], { home })
    expect(planned.code, planned.stderr).toBe(0)
    const refused = await stowageUnderWine(['build', winePath(plan)], { home })
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain(
      'cannot pack folder/aux: 7-Zip reads a device of Windows instead; choose an option without 7z',
    )
  })
})
