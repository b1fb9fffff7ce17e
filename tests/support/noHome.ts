import type { Surroundings } from '../../src/primitives/dataFolder'

/** The surroundings of a command that asks for no catalog and no settings. */
export const noHome: Surroundings = { platform: 'linux', homeDir: '/nowhere', env: {} }
