import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['tests/bench/{speed,faults}/*.bench.ts'], root: process.cwd(), testTimeout: 600_000 },
})
