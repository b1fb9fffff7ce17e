import type { ToEngine } from '../../contract/engineChannel'

/** How an engine process ended. */
export interface EngineExit {
  readonly code: number | null
  readonly signal: string | null
  /** The system's message when the process could not even be started. */
  readonly startError: string | null
}

/** One running engine process. After `onExit` nothing more comes from it. */
interface EngineProcess {
  readonly pid: number | undefined
  /** CPU time that it has used, in milliseconds; null where the system does not tell it. */
  processorMs(): number | null
  /** Messages arrive in order; those to a process that has gone are dropped. */
  send(message: ToEngine): void
  onMessage(listener: (message: unknown) => void): void
  /**
   * Lines that the engine wrote to its error stream: its own words about a failure, for the log.
   */
  onErrorLine(listener: (line: string) => void): void
  onExit(listener: (exit: EngineExit) => void): void
  /** Ends the process at once, whatever it does. */
  kill(): void
}

/** A way of running the engine's bundle. Every implementation passes the same conformance suite. */
export interface EngineHost {
  readonly name: string
  start(): EngineProcess
}

/** An exit in words for people, naming the cause as far as the system tells it. */
export function describeExit({ code, signal, startError }: EngineExit): string {
  if (startError !== null) return `the engine could not be started: ${startError}`
  if (signal !== null) return `the engine was ended by signal ${signal}${SIGNAL_NOTES[signal] ?? ''}`
  return code === 0 ? 'the engine ended without a reason' : `the engine ended with code ${code}`
}

const SIGNAL_NOTES: Readonly<Record<string, string>> = {
  SIGSEGV: ' (a crash in native code)',
  SIGABRT: ' (it aborted, often because memory ran out)',
  SIGBUS: ' (a crash in native code, or a disconnected disk)',
  SIGKILL: ' (by the system because memory ran out, or by a person)',
}
