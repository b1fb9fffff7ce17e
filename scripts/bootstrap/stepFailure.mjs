/**
 * A step of the bootstrap that could not be done: `message` is one plain line naming the step and the cause.
 * Thrown, never exited with, so that `finally` blocks still release the lock.
 */
export class StepFailure extends Error {
  constructor(message) {
    super(message)
    this.name = 'StepFailure'
  }
}
