import type { CommandEnd, Place } from './faultedCommand.ts'

/** Each target by its name, as text that is equal when what is there is. */
export type Reading = Readonly<Record<string, string>>

/** A command that writes, from the state in which it is started to what it leaves. */
export interface Scenario {
  readonly name: string
  /** Brings the place into the state before the command. */
  setup?(stowage: Stowage, place: Place): Promise<void> | void
  args(place: Place): string[]
  reading(place: Place): Reading | Promise<Reading>
  /** What must be as after a run without faults once the next run has ended, and may be anything before. */
  settled?(place: Place): Reading
  /** What the catalog or a file claims that is not so, at any time: after a fault, and after the next run. */
  falseWords?(place: Place): string[] | Promise<string[]>
  /** Names that may stay after a full disk: the next run goes on with them. */
  readonly mayWait?: RegExp
  /** Files of the person's within what the command replaces. */
  readonly foreign?: readonly string[]
  /** Folders to which the command renames what it replaces, as `steady` shows them: the files above are in one of them then. */
  readonly keptIn?: RegExp
  /** A share of the usual number of faults, where a run takes long. */
  readonly share?: number
  /** It may end with this exit code without faults. */
  readonly code?: number
}

/** Runs a command that has to succeed. */
export type Stowage = (...args: string[]) => Promise<CommandEnd>
