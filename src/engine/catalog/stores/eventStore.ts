import type { Database } from 'better-sqlite3'
import type { CheckDocument } from '../../../contract/dto/check'
import type { RunDocument } from '../../../contract/dto/run'
import {
  type EventFacts,
  eventFactsSchema,
  eventsOfCheck,
  eventsOfRun,
  type NewEvent,
  type VolumeEvent,
} from '../../../domain/sets/volumeEvent'
import type { CheckIntervals } from './checkIntervals'
import { documentIn, type StoredDocuments } from './storedDocuments'

/**
 * Everything that happened to volumes and their copies, or was said of them, in the order in which
 * the catalog got to know it; with the documents of runs and checks that it was part of.
 */
export interface EventStore {
  /** In their order; of one plan where its ID is given. */
  events(planId?: string | null): VolumeEvent[]
  /** The number of the newest event; 0 where there is none. */
  lastEvent(): number
  /** Adds what is part of no run and no check. */
  addEvents(events: readonly NewEvent[]): void
  /**
   * Saves a run, in place of what was saved of it before, and adds what is new in it to the events.
   */
  saveRun(document: RunDocument): void
  /** @throws AppError `not-found`; `catalog-broken` for a run whose document is damaged */
  run(runId: string): RunDocument
  /**
   * Those first that the catalog got to know last, without those whose document is damaged, which
   * are noted once; of one plan where its ID is given.
   */
  runs(planId?: string | null): RunDocument[]
  /** @param everyMonths in place of the interval of each volume */
  saveCheck(document: CheckDocument, everyMonths?: number | null): void
  /** @throws AppError `not-found`; `catalog-broken` for a check whose document is damaged */
  check(checkId: string): CheckDocument
}

interface Row {
  number: number
  kind: VolumeEvent['kind']
  of_id: string | null
  plan_id: string | null
  set_id: string | null
  volume: number
  copy: number
  label: string
  wall_ms: number
  facts: string
}

export function eventStore(
  writer: Database,
  runs: StoredDocuments<RunDocument>,
  checks: StoredDocuments<CheckDocument>,
  { everyMonths }: Pick<CheckIntervals, 'everyMonths'>,
): EventStore {
  const insert = writer.prepare(
    `INSERT INTO events (kind, of_id, plan_id, set_id, volume, copy, label, wall_ms, facts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (of_id, kind, coalesce(plan_id, set_id, ''), volume, copy) DO NOTHING`,
  )
  const add = (events: readonly NewEvent[]): void => {
    for (const { kind, of, planId, setId, volume, copy, label, wallMs, facts } of events)
      insert.run(kind, of, planId, setId, volume, copy, label, wallMs, JSON.stringify(facts))
  }
  return {
    events: (planId = null) =>
      writer
        .prepare<{ planId: string | null }, Row>(
          `SELECT * FROM events ${planId === null ? '' : 'WHERE plan_id = @planId'} ORDER BY number`,
        )
        .all({ planId })
        .map(eventFrom),
    lastEvent: () =>
      writer.prepare<[], number>('SELECT coalesce(max(number), 0) FROM events').pluck().get() ?? 0,
    addEvents: writer.transaction(add),
    saveRun: writer.transaction((document: RunDocument) => {
      writer
        .prepare(
          `INSERT INTO runs (id, plan_id, started_wall_ms, document, number)
           VALUES (?, ?, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM runs))
           ON CONFLICT (id) DO UPDATE SET plan_id = excluded.plan_id, started_wall_ms = excluded.started_wall_ms,
             document = excluded.document`,
        )
        .run(document.id, document.planId, document.startedWallMs, JSON.stringify(document))
      add(eventsOfRun(document, everyMonths))
    }),
    run: runs.of,
    runs: (planId = null) =>
      runs.all(`${planId === null ? '' : 'WHERE plan_id = @planId '}ORDER BY number DESC`, { planId }),
    saveCheck: writer.transaction((document: CheckDocument, months: number | null = null) => {
      writer
        .prepare('INSERT INTO checks VALUES (?, ?, ?)')
        .run(document.id, document.startedWallMs, JSON.stringify(document))
      add(eventsOfCheck(document, (volume) => months ?? everyMonths(volume)))
    }),
    check: checks.of,
  }
}

const NO_FACTS: EventFacts = {}

function eventFrom(row: Row): VolumeEvent {
  return {
    number: row.number,
    kind: row.kind,
    of: row.of_id,
    planId: row.plan_id,
    setId: row.set_id,
    volume: row.volume,
    copy: row.copy,
    label: row.label,
    wallMs: row.wall_ms,
    facts: documentIn(eventFactsSchema, row.facts) ?? NO_FACTS,
  }
}
