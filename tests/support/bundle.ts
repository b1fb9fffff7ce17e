import { builtinModules } from 'node:module'
import path from 'node:path'
import { build } from 'vite'

/**
 * Bundles a TypeScript entry into one CommonJS file, as the application's own bundles are made.
 * @param packages left out of the bundle, for whoever runs it to find
 * @returns the file's path
 */
export async function bundle(
  entry: string,
  outDir: string,
  packages: readonly string[] = [],
): Promise<string> {
  const name = path.basename(entry).replace(/\.ts$/, '.cjs')
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node16',
      lib: { entry, formats: ['cjs'], fileName: () => name },
      rollupOptions: { external: ['electron', ...packages, ...builtinModules, /^node:/] },
    },
  })
  return path.join(outDir, name)
}
