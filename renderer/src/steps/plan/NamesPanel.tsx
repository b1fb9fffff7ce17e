import { type PlanProblem, READER_NAME_CODES, type ReaderNameCode } from '../../../../src/contract/dto/plan'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'

/** Splits a plan's problems: names that another system shows otherwise, and all else. */
export function splitProblems(problems: readonly PlanProblem[]): {
  readonly names: readonly PlanProblem[]
  readonly others: readonly PlanProblem[]
} {
  const isName = ({ code }: PlanProblem): boolean => READER_NAME_CODES.some((each) => each === code)
  return { names: problems.filter(isName), others: problems.filter((problem) => !isName(problem)) }
}

/** The names that another system shows otherwise: how many first, then each with its reason. */
export function NamesPanel({ names }: { names: readonly PlanProblem[] }) {
  const kinds = READER_NAME_CODES.flatMap((code) => {
    const found = names.filter((problem) => problem.code === code)
    return found.length === 0 ? [] : [{ code, found }]
  })
  return (
    <div className="reader-names">
      {kinds.map(({ code, found }) => (
        <NamesOfKind key={code} code={code} found={found} />
      ))}
    </div>
  )
}

function NamesOfKind({ code, found }: { code: ReaderNameCode; found: readonly PlanProblem[] }) {
  const unlisted = found.reduce((sum, { names = 0 }) => sum + names, 0)
  const listed = found.filter(({ names }) => names === undefined)
  return (
    <details className="expert">
      <summary>{t(`names.${code}`, { count: listed.length + unlisted })}</summary>
      <p className="muted">
        {t(`names.${code}.shows`)}{' '}
        {t(code === 'path-on-windows' ? 'names.cure.path-on-windows' : 'names.cure')}
      </p>
      <ul>
        {listed.map(({ path = '', reason = '' }) => (
          <li key={`${path} ${reason}`}>
            <PathText path={path} />
            <span className="muted">{reason}</span>
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className="muted">{t('names.more', { count: unlisted })}</p>}
    </details>
  )
}
