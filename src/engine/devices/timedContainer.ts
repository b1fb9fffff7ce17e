import { randomBytes } from 'node:crypto'
import type { ContainerFacts } from '../../domain/devices/bandKind'
import { createContainer, type LongWork, type OpenContainer, openContainer } from '../native/containers'

/**
 * The password only keeps the shape of things: nobody opens these containers but the run that made
 * them.
 */
const PASSWORD_BYTES = 32
/** Rounds of PBKDF2: a key is derived whenever a container is opened, which no time here holds. */
const ROUNDS = 1000

/** A container in a run's folder, under a name that is removed with the folder. */
export interface TimedContainer {
  readonly path: string
  /** Makes it, empty. */
  create(bytes: number, work: LongWork): Promise<void>
  open(writable: boolean): Promise<OpenContainer>
  /** Another one of its kind, to copy it into. */
  another(): TimedContainer
}

export function timedContainer(folder: string, name: string, facts: ContainerFacts): TimedContainer {
  const { kind, encryption, bandBytes } = facts
  const path = `${folder}/${name}.${kind === 'UDSB' ? 'sparsebundle' : 'timed'}`
  const password = randomBytes(PASSWORD_BYTES)
  return {
    path,
    create: (bytes, work) =>
      createContainer(
        path,
        {
          kind,
          bytes,
          ...(bandBytes === null ? {} : { bandBytes }),
          ...(encryption === null ? {} : { encryption: { keyBits: encryption, password, rounds: ROUNDS } }),
        },
        work,
      ),
    open: (writable) => openContainer(path, encryption === null ? { writable } : { writable, password }),
    another: () => timedContainer(folder, 'other', facts),
  }
}
