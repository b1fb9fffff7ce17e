import type { PlanDocument, PlanProblem } from '../../../../src/contract/dto/plan'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import { NamesPanel, splitProblems } from './NamesPanel'

/** The problems that are listed: discs without recovery data are counted in the plan's line. */
function listedOf({ problems }: PlanDocument): ReturnType<typeof splitProblems> & {
  readonly isBlocked: boolean
} {
  const split = splitProblems(problems.filter(({ code }) => code !== 'unprotected'))
  return { ...split, isBlocked: split.others.some(({ blocking }) => blocking) }
}

/** The notes that are listed below the discs, names that are not listed one by one included. */
export function notesOf(document: PlanDocument): number {
  const { names, others, isBlocked } = listedOf(document)
  const named = names.reduce((sum, { names: more = 1 }) => sum + more, 0)
  return named + (isBlocked ? 0 : others.length)
}

/** All problems and notes, where one of them blocks the export. */
export function BlockingProblems({ document }: { document: PlanDocument }) {
  const { others, isBlocked } = listedOf(document)
  return isBlocked ? <ProblemList problems={others} /> : null
}

/** The notes, and the names that another system shows otherwise; or that there are none. */
export function PlanNotes({ document }: { document: PlanDocument }) {
  const { names, others, isBlocked } = listedOf(document)
  if (names.length + others.length === 0)
    return (
      <p className="no-problems muted">{t(document.packing ? 'problems.nonePacked' : 'problems.none')}</p>
    )
  return (
    <>
      {!isBlocked && others.length > 0 && <ProblemList problems={others} />}
      {names.length > 0 && <NamesPanel names={names} />}
    </>
  )
}

/** Problems and notes, each counted as what they are. */
function titleOf(problems: readonly PlanProblem[]): string {
  const blocking = problems.filter((problem) => problem.blocking).length
  const notes = t('problems.notes', { count: problems.length - blocking })
  if (blocking === 0) return notes
  const title = t('problems.title', { count: blocking })
  return blocking === problems.length ? title : t('problems.both', { title, notes })
}

function ProblemList({ problems }: { problems: readonly PlanProblem[] }) {
  return (
    <Panel
      title={titleOf(problems)}
      says={t(problems.some(({ blocking }) => blocking) ? 'problems.says' : 'problems.says.notes')}
      className="problems"
    >
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.path ?? ''} ${problem.message}`}>
            <span className={problem.blocking ? 'problem-kind blocking' : 'problem-kind'}>
              {t(problem.blocking ? 'problems.blocking' : 'problems.note')}
            </span>
            <span className="fills">
              {sentence(problem.message)}
              {problem.path !== undefined && <PathText path={problem.path} />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
