import { versions } from 'node:process'

/** What is built without another program is done by this one, with Node's libraries. */
export const OWN_TOOL = { tool: 'Stowage', version: `Node ${versions.node}` }
