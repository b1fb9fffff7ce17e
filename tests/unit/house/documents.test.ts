import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { houseFiles } from './sourceFiles'

const README_BYTES = 7000
const PICTURE_BYTES = 150_000
const BENCHMARK_LINES = 250
const BENCHMARK_FIELDS = ['question', 'command', 'commit', 'date', 'machine', 'rows', 'notes']

const pages = houseFiles().filter((file) => file.endsWith('.md'))

/** A path of the repository in back quotes, such as `src/cli/help.ts`; `NNNN` and `<name>` stand for names that vary. */
const PATH = /`((?:src|native|renderer|tests|scripts|assets|docs)\/[\w./+-]+)`/g

function brokenLinks(page: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(posix.join(posix.dirname(page), target)))
    .map((target) => `${page}: ${target}`)
}

function missingPaths(page: string, text: string): string[] {
  return [...text.matchAll(PATH)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('NNNN') && !existsSync(path))
    .map((path) => `${page}: ${path}`)
}

describe('documents', () => {
  it('link to pages that exist', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.flatMap((page) => brokenLinks(page, readFileSync(page, 'utf8')))).toEqual([])
  })

  it('name files that exist', () => {
    expect(pages.flatMap((page) => missingPaths(page, readFileSync(page, 'utf8')))).toEqual([])
  })

  it('are searched for both', () => {
    expect(brokenLinks('docs/a.md', '[b](nowhere.md)')).toEqual(['docs/a.md: nowhere.md'])
    expect(missingPaths('docs/a.md', 'See `src/nowhere.ts`.')).toEqual(['docs/a.md: src/nowhere.ts'])
  })
})

describe('the page of benchmarks', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  const files = readdirSync('docs/benchmarks')

  it(`has at most ${BENCHMARK_LINES} lines: more figures go to its files`, () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(BENCHMARK_LINES)
  })

  it('links to each of its files once', () => {
    expect(files.length).toBeGreaterThan(20)
    const linked = [...page.matchAll(/\]\(benchmarks\/([^)]+)\)/g)].map(([, file = '']) => file)
    expect(linked.toSorted()).toEqual(files.toSorted())
  })

  it('names the fields that each of them has', () => {
    const odd = files.filter((file) => {
      const result = JSON.parse(readFileSync(`docs/benchmarks/${file}`, 'utf8')) as Record<string, unknown>
      return Object.keys(result).join() !== BENCHMARK_FIELDS.join() || String(result['rows']) === ''
    })
    expect(odd).toEqual([])
    for (const field of BENCHMARK_FIELDS) expect(page).toContain(`\`${field}\``)
  })
})

describe('the README', () => {
  it(`has at most ${README_BYTES} bytes and a picture of at most ${PICTURE_BYTES}`, () => {
    expect(statSync('README.md').size).toBeLessThanOrEqual(README_BYTES)
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/images/window.png)')
    expect(statSync('docs/images/window.png').size).toBeLessThanOrEqual(PICTURE_BYTES)
  })

  it('names the test command that .ci/run calls', () => {
    const inCi = readFileSync('.ci/run', 'utf8').match(/^npm (?:test|run test:\w+)/gm) ?? []
    expect(inCi).toContain('npm test')
    const readme = readFileSync('README.md', 'utf8')
    for (const command of inCi) expect(readme).toContain(command)
  })
})
