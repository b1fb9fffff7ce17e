import type { Database } from 'better-sqlite3'
import type { VolumeCheck } from '../../../domain/sets/checkDocument'
import { RECHECK_MONTHS } from '../../../domain/sets/volumeEvent'
import { AppError } from '../../../primitives/appError'

type AnyVolume = Pick<VolumeCheck, 'setId' | 'planId' | 'volume'>

/** After how many months volumes are checked again. */
export interface CheckIntervals {
  /** That of the volume's last check, else that of its set, else the default. */
  everyMonths(volume: AnyVolume): number
  /**
   * Gives all volumes of a set an interval, those that are checked later too.
   * @param ofSet the ID of its plan, or the set's own
   * @throws AppError `not-found` for a set of which the catalog knows neither plan nor check
   */
  setEveryMonths(ofSet: string, everyMonths: number): void
}

export function checkIntervals(writer: Database): CheckIntervals {
  const months = (sql: string, ...values: (string | number)[]): number | undefined =>
    writer.prepare<unknown[], number>(sql).pluck().get(values)
  return {
    everyMonths({ setId, planId, volume }) {
      const ofSet = planId ?? setId ?? ''
      return (
        months(
          `SELECT facts ->> 'everyMonths' FROM events WHERE coalesce(plan_id, set_id) = ? AND volume = ?
           AND kind IN ('good', 'damaged') ORDER BY number DESC LIMIT 1`,
          ofSet,
          volume,
        ) ??
        months('SELECT every_months FROM check_intervals WHERE of_set = ?', ofSet) ??
        RECHECK_MONTHS
      )
    },
    setEveryMonths: writer.transaction((ofSet: string, everyMonths: number) => {
      const { changes } = writer
        .prepare(`UPDATE events SET facts = json_set(facts, '$.everyMonths', ?)
           WHERE coalesce(plan_id, set_id) = ? AND kind IN ('good', 'damaged')`)
        .run(everyMonths, ofSet)
      const plan = writer.prepare('SELECT 1 FROM plans WHERE id = ?').get(ofSet)
      if (changes === 0 && plan === undefined)
        throw new AppError('not-found', `the catalog has no plan and no checked set ${ofSet}`)
      writer.prepare('INSERT OR REPLACE INTO check_intervals VALUES (?, ?)').run(ofSet, everyMonths)
    }),
  }
}
