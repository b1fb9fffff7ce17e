import { buildability } from './buildability'
import { folderFacts } from './folderFacts'
import { machineFacts } from './machineFacts'
import { machinePace } from './machinePace'
import type { OptionsMachine } from './optionsDocument'

/** The machine that the engine runs on. */
export const thisMachine: OptionsMachine = {
  facts: async () => machineFacts(await machinePace()),
  buildability,
  folders: folderFacts,
}
