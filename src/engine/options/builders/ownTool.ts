import { versions } from 'node:process'

/** The tool of results that need no other program: this one, with Node's libraries. */
export const OWN_TOOL = { tool: 'Stowage', version: `Node ${versions.node}` }
