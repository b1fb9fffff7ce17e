import { DebianArchive } from './prebuild/debian.mjs'
import { ensureLibraries } from './prebuild/libraries.mjs'
import { StepRunner } from './bootstrap/stepRunner.mjs'

const runner = new StepRunner()
const debian = new DebianArchive(runner)
for (const target of process.argv.slice(2)) await ensureLibraries(runner, debian, target)
