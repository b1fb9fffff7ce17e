/** Debian's Chromium. */
export const EXECUTABLE = '/usr/bin/chromium'

/** How tests start it: without a sandbox, a screen and the network. */
export const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
