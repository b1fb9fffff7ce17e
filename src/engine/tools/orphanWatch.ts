import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Reads the process groups that run (`+ ID`) and those that have ended (`- ID`) until its input
 * ends, which the system sees to when the process at the other end is gone. It then asks the groups
 * that are left to end, as borg and restic unlock their repository then, and kills them.
 */
const SCRIPT = `
groups=
while read -r change group; do
  if [ "$change" = + ]; then
    groups="$groups $group"
  else
    left=
    for each in $groups; do
      [ "$each" = "$group" ] || left="$left $each"
    done
    groups=$left
  fi
done
[ -n "$groups" ] || exit 0
for each in $groups; do kill -s TERM -- "-$each"; done
sleep 2
for each in $groups; do kill -s KILL -- "-$each"; done
`

const groups = new Set<number>()
let watcher: ChildProcess | undefined

/**
 * Lets a process group end with this process, however it ends: SIGTERM, then SIGKILL two seconds
 * later. A shell of its own does it, for a killed process can do nothing, and the system lets its
 * children go on. The group must be unwatched when it has ended.
 */
export function watchGroup(group: number): void {
  groups.add(group)
  if (watcher) tell(`+ ${group}\n`)
  else startWatcher()
}

export function unwatchGroup(group: number): void {
  if (groups.delete(group)) tell(`- ${group}\n`)
}

function tell(text: string): void {
  watcher?.stdin?.write(text)
}

function startWatcher(): void {
  // No folder is kept in use, and no secret of the environment is kept.
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher = started
  const gone = (): void => {
    if (watcher === started) watcher = undefined
  }
  started.once('error', gone)
  started.once('exit', gone)
  started.stdin.on('error', gone)
  // Neither keeps this process from ending.
  started.unref()
  ;(started.stdin as Socket).unref()
  tell([...groups].map((group) => `+ ${group}\n`).join(''))
}
