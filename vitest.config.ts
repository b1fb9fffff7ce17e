import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    sequence: { shuffle: true },
    testTimeout: 30_000,
  },
})
