import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { scriptFiles } from './sourceFiles'

const ENTRY = 'virtual:everything'

/** A program that loads the given files and everything they import. */
async function programOf(load: (id: string) => string | undefined): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    // Built as for a server: nothing is replaced or put in place of what is missing.
    ssr: { noExternal: true },
    plugins: [{ name: 'everything', resolveId: (id) => (id === ENTRY ? id : null), load }],
    build: {
      write: false,
      ssr: true,
      minify: false,
      rollupOptions: {
        input: ENTRY,
        preserveEntrySignatures: 'strict',
        output: { format: 'cjs', codeSplitting: false },
      },
    },
  })
  const [bundle] = [output].flat()
  if (!bundle || !('output' in bundle)) throw new Error('Vite built nothing')
  return bundle.output[0].code
}

/** Runs a program where there is the language and nothing else: no Node, no page. */
function runBare(program: string): void {
  // Both Node and browsers have this one; the lossless form of names needs it.
  runInNewContext(program, { TextDecoder, exports: {}, module: { exports: {} } })
}

describe('contract and domain', () => {
  it('load with nothing but the language: no globals of Node or of a page', async () => {
    const files = scriptFiles('src/contract', 'src/domain', 'src/primitives')
    expect(files.length).toBeGreaterThan(10)
    const imports = files
      .map((file) => `export * as ${file.replaceAll(/\W/g, '_')} from '/${file}'`)
      .join('\n')
    const program = await programOf((id) => (id === ENTRY ? imports : undefined))
    expect(() => runBare(program)).not.toThrow()
  })

  it.each(['process.env.HOME', 'Buffer.alloc(1)', `document.title`, `window.name`, `require('node:fs')`])(
    'would be caught at: %s',
    async (use) => {
      const program = await programOf((id) => (id === ENTRY ? `export const caught = [${use}]` : undefined))
      expect(() => runBare(program)).toThrow(/is not defined/)
    },
  )
})
