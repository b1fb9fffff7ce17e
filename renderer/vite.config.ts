import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The window's bundle. Relative addresses, because it is opened from the package and not from a
 * server's root.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    /** The oldest runtime supported is Chromium 108. */
    target: 'chrome108',
    cssTarget: 'chrome108',
    sourcemap: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
})
