export interface RawProcesses {
  /**
   * When the process of this number started, as a whole number in text that no other process of the
   * same number has; "" where that is not known.
   */
  processStart(pid: number): string
  /** Windows: lets all programs that are started from now on end with this process. */
  endProgramsWithThis?(): number
  /**
   * Windows: the process with all that it starts from then on, which end with the object; null
   * where it cannot be held. `end` gives 0 or an errno value.
   */
  holdProcessTree?(pid: number): { end(): number } | null
}
