import type { SeededRandom } from '../../../src/primitives/seededRandom.ts'
import { catalogFaults } from './catalogTruth.ts'
import { type Call, type CommandEnd, type Fault, type FaultKind, faulted, plain } from './faultedCommand.ts'
import { steady } from './readings.ts'
import type { Reading, Scenario } from './scenario.ts'
import { Workplace } from './workplace.ts'

export interface Setting {
  readonly library: string
  readonly source: string
  readonly folder: string
  readonly kills: number
  readonly errors: number
  readonly random: SeededRandom
}

export interface Tally {
  calls: number
  kills: number
  errors: number
  readonly violations: string[]
}

/** What a run without faults comes from and leads to. */
interface Reference {
  readonly before: Reading
  readonly after: Reading
  readonly settled: Reading
  readonly namesBefore: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly code: number
}

/** Tries one command with many faults. */
export async function tryScenario(scenario: Scenario, setting: Setting): Promise<Tally> {
  const work = new Workplace(setting.folder, setting.source, scenario)
  const { place } = work
  await work.prepare(scenario)
  const targets = [place.out, place.tmp]
  const tally: Tally = { calls: 0, kills: 0, errors: 0, violations: [] }
  const before = await scenario.reading(place)
  const namesBefore = work.names()
  const counted: { calls: readonly Call[]; under: readonly string[] }[] = []
  let reference: Reference | null = null
  for (const under of [targets, [place.home]]) {
    work.restore()
    const end = await faulted(setting.library, place, scenario.args(place), { kind: 'count', at: 0, under })
    if (end.code !== (scenario.code ?? 0)) throw new Error(`${scenario.name} without faults: ${shown(end)}`)
    const after = await scenario.reading(place)
    const claimed = (await scenario.falseWords?.(place)) ?? []
    if (claimed.length > 0) throw new Error(`${scenario.name} without faults: ${claimed.join('; ')}`)
    for (const [target, reading] of Object.entries(reference?.after ?? {}))
      if (after[target] !== reading)
        throw new Error(`two runs make another ${target}: ${short(after[target] ?? '-', [reading])}`)
    const settled = scenario.settled?.(place) ?? {}
    reference = { before, after, settled, namesBefore, names: work.names(), code: end.code }
    counted.push({ calls: end.calls, under })
    tally.calls += end.calls.length
  }
  if (reference === null || tally.calls === 0)
    throw new Error(`${scenario.name} makes no call that is counted`)
  const faults = chosenFaults(counted, setting)
  for (const fault of faults) {
    work.restore()
    const end = await faulted(setting.library, place, scenario.args(place), fault)
    const [hit] = end.calls
    // The order of calls differs a little from run to run: the last ones may not come.
    if (hit === undefined) continue
    const isKill = fault.kind.startsWith('kill')
    if (isKill) tally.kills += 1
    else tally.errors += 1
    const found = await faultsAfter(scenario, work, end, fault.kind, hit, reference)
    const again = await nextRun(scenario, work, reference)
    found.push(...(await faultsAfterNext(scenario, work, again, reference)))
    const where = `${fault.kind} at ${hit.program} ${hit.name} ${steady(hit.path.replace(`${place.folder}/`, ''))} (${fault.at})`
    const ended = `ended with ${end.code ?? end.signal}`
    for (const what of found)
      tally.violations.push(`${where}, ${ended}: ${what.replaceAll(place.folder, '')}`)
  }
  return tally
}

/** What is wrong right after the fault. */
async function faultsAfter(
  scenario: Scenario,
  work: Workplace,
  end: CommandEnd,
  kind: FaultKind,
  hit: Call,
  { before, after, names, namesBefore }: Reference,
): Promise<string[]> {
  const isKill = kind.startsWith('kill')
  const found: string[] = []
  if (end.hung) found.push('it hangs')
  if (!isKill && end.signal !== null) found.push(`it crashes with ${end.signal}`)
  const now = await scenario.reading(work.place)
  for (const [target, whole] of Object.entries(now)) {
    // An image may say that a change was interrupted, as long as all of its disk is there.
    const reading = whole.replace(/: [^:]*\(.*interrupted.*$/, '')
    if (reading === after[target]) continue
    if (reading !== before[target])
      found.push(`${target} is half done: ${short(reading, [before[target], after[target]])}`)
    else if (end.code === 0) found.push(`${target} is called done and is not`)
  }
  for (const name of work.lostFiles()) found.push(`lost a file of the person's: ${name}`)
  if (!isKill && end.code !== (scenario.code ?? 0)) {
    found.push(...faultsOfMessage(end, kind))
    // What cannot be removed stays until the next run.
    if (!/^(unlink|rmdir|remove)$/.test(hit.name) || kind !== 'denied')
      for (const name of straysIn(work.names(), names, namesBefore))
        if (scenario.mayWait?.test(name) !== true) found.push(`left behind: ${name}`)
  }
  found.push(...((await scenario.falseWords?.(work.place)) ?? []))
  found.push(...catalogFaults(work.place.home, []))
  return found
}

/** What a message names, by the kind of the fault. */
const NAMED: Partial<Record<FaultKind, RegExp>> = {
  io: /input\/output error|I\/O error|EIO/i,
  denied: /permission denied|not permitted|EACCES/i,
}
const FULL_DISK = /no space|disk is full|disk full|ENOSPC|, 0 B free/i

function faultsOfMessage(end: CommandEnd, kind: FaultKind): string[] {
  const found: string[] = []
  if (!(NAMED[kind] ?? FULL_DISK).test(end.stderr))
    found.push(`the message does not name the fault: ${shown(end)}`)
  else if (/\n {4}at /.test(end.stderr)) found.push(`the message is a stack: ${shown(end)}`)
  else if (/internal error/i.test(end.stderr))
    found.push(`the fault is called an internal one: ${shown(end)}`)
  const lines = end.stderr.split('\n').filter((line) => line.startsWith('stowage: '))
  if (lines.length !== 1) found.push(`${lines.length} lines of error: ${shown(end)}`)
  return found
}

/** Refusals of a command whose work is done: its target is there, or the old password opens nothing any more. */
const IS_THERE = /\(--force replaces|with this name exists|the password is wrong/

/**
 * The same command once more, without faults. Of several targets one may be there already: then a person who reads that gives
 * --force.
 */
async function nextRun(scenario: Scenario, { place }: Workplace, { after }: Reference): Promise<CommandEnd> {
  const end = await plain(place, scenario.args(place))
  const isRefused = /--force replaces it/.test(end.stderr) && !isSame(await scenario.reading(place), after)
  return isRefused ? plain(place, [...scenario.args(place), '--force']) : end
}

/** What is wrong after the same command has run again without faults. */
async function faultsAfterNext(
  scenario: Scenario,
  work: Workplace,
  end: CommandEnd,
  { after, settled, names, code }: Reference,
): Promise<string[]> {
  const found: string[] = []
  const now = await scenario.reading(work.place)
  const isNew = isSame(now, after)
  // Without --force what is there already is not made again, and a password that was changed opens nothing any more.
  const isThere = isNew && IS_THERE.test(end.stderr)
  if (end.code !== code && !isThere) found.push(`the next run fails: ${shown(end)}`)
  else if (!isNew)
    for (const [target, reading] of Object.entries(now))
      if (reading !== after[target])
        found.push(`${target} is not whole after the next run: ${short(reading, [after[target]])}`)
  for (const [target, reading] of Object.entries(scenario.settled?.(work.place) ?? {}))
    if (reading !== settled[target])
      found.push(`${target} differ after the next run: ${short(reading, [settled[target]])}`)
  found.push(
    ...((await scenario.falseWords?.(work.place)) ?? []).map((text) => `after the next run: ${text}`),
  )
  for (const name of straysIn(work.names(), names))
    if (scenario.keptIn?.test(name) !== true) found.push(`stays after the next run: ${name}`)
  for (const name of work.misplacedFiles()) found.push(`a file of the person's is not in its place: ${name}`)
  const home = work.homeNames()
  const sketches = home.filter((name) => /^sketches\/[^/]+\.sketch\d?$/.test(name))
  for (const name of home)
    if (!sketches.includes(name)) found.push(`stays in the data folder after the next run: ${steady(name)}`)
  found.push(
    ...catalogFaults(work.place.home, sketches).map((fault) => `after the next run: ${steady(fault)}`),
  )
  return found
}

/**
 * Faults spread evenly over the calls. Runs of the same call on the same file count as one place, so that a long file does not
 * draw all of them. Two thirds are in targets, the rest in the data folder.
 */
function chosenFaults(
  counted: readonly { calls: readonly Call[]; under: readonly string[] }[],
  { kills, errors, random }: Setting,
): Fault[] {
  const faults: Fault[] = []
  const choose = (kinds: readonly FaultKind[], wanted: number): void => {
    const shares =
      counted[0]?.calls.length === 0 ? [0, wanted] : [wanted - Math.floor(wanted / 3), Math.floor(wanted / 3)]
    for (const [which, { calls, under }] of counted.entries()) {
      const share = shares[which] ?? 0
      for (let index = 0; index < share; index++) {
        const kind = kinds[(index + which) % kinds.length] as FaultKind
        const at = placeOf(calls.filter(eligibleFor(kind)), (index + random.unit()) / share, random)
        if (at !== null) faults.push({ kind, at, under })
      }
    }
  }
  choose(['kill', 'killAfter', 'killOne'], kills)
  choose(['once', 'short', 'full', 'io', 'denied'], errors)
  return faults
}

function eligibleFor(kind: FaultKind): (call: Call) => boolean {
  if (kind === 'short') return (call) => call.writes
  if (kind === 'denied') return (call) => call.names
  if (kind === 'once' || kind === 'full' || kind === 'io') return (call) => call.needsSpace
  return () => true
}

/** The number of a call, from 1, at a share of the runs of equal calls. */
function placeOf(calls: readonly Call[], share: number, random: SeededRandom): number | null {
  const runs: number[][] = []
  for (const [index, { name, path }] of calls.entries()) {
    const last = calls[index - 1]
    if (last !== undefined && last.name === name && last.path === path) runs.at(-1)?.push(index + 1)
    else runs.push([index + 1])
  }
  const run = runs[Math.min(runs.length - 1, Math.floor(share * runs.length))]
  return run?.[random.below(run.length)] ?? null
}

/** Names that no known state has, without what is in folders that are strays themselves. */
function straysIn(names: ReadonlySet<string>, ...known: readonly ReadonlySet<string>[]): string[] {
  const strays = [...names].filter((name) => !known.some((one) => one.has(name)))
  return strays.filter((name) => !strays.some((other) => name.startsWith(`${other}/`)))
}

function isSame(one: Reading, other: Reading): boolean {
  return Object.entries(one).every(([target, reading]) => reading === other[target])
}

function shown(end: CommandEnd): string {
  const lines = end.stderr
    .trim()
    .split('\n')
    .filter((line) => !/^ {4}at /.test(line))
  return `exit ${end.code ?? end.signal}, ${lines.slice(-3).join(' / ').slice(0, 400)}`
}

/** The lines of a reading that no other one has. */
function short(reading: string, others: readonly (string | undefined)[]): string {
  const known = new Set(others.flatMap((other) => other?.split('\n') ?? []))
  const lines = reading.split('\n')
  const strange = lines.filter((line) => !known.has(line))
  return `${strange.slice(0, 3).join(' | ').slice(0, 300)} (${lines.length} names, ${strange.length} of neither)`
}
