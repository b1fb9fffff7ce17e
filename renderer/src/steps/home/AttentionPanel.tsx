import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { setLabel } from '../../format/setLabel'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { useIsRunning, useSession } from '../../state/sessionContext'
import { sayLeft, sayLost } from '../catalog/copies/lostWords'
import { HomeSession } from './homeSession'
import type { HomeSet } from './homeSets'

/** More sets are counted: the table has them all. */
const LISTED = 5

/** The things that need attention, each with the one action that answers it. */
export function AttentionPanel({ problems, due }: { problems: readonly HomeSet[]; due: readonly HomeSet[] }) {
  const more = problems.length - LISTED
  return (
    <Panel title={t('home.attention')} className="home-attention">
      <ul>
        {problems.slice(0, LISTED).map((set) => (
          <Item
            key={set.key}
            isBad={isAtRisk(set)}
            title={setLabel(set)}
            says={problemWords(set)}
            answer={<Answer set={set} />}
          />
        ))}
        {due.length > 0 && <DueItem due={due} />}
      </ul>
      {more > 0 && <p className="muted">{t('home.attention.more', { count: more })}</p>}
    </Panel>
  )
}

function Item({
  title,
  says,
  answer,
  isBad = false,
}: {
  title: string
  says: string
  answer: ReactNode
  /** Files are at risk: the others wait. */
  isBad?: boolean
}) {
  return (
    <li>
      <span className={isBad ? 'notice-sign' : 'notice-sign calm'} aria-hidden="true">
        !
      </span>
      <div className="source-words fills">
        <span className="source-name ellipsis" title={title}>
          {title}
        </span>
        <span>{says}</span>
      </div>
      {answer}
    </li>
  )
}

/** All discs that are due are one thing to do. */
function DueItem({ due }: { due: readonly HomeSet[] }) {
  const home = useSession(HomeSession)
  const problems = due.flatMap(({ problem }) => (problem?.kind === 'due' ? [problem] : []))
  const count = problems.reduce((sum, problem) => sum + problem.count, 0)
  const labels = sayRanges(problems.flatMap((problem) => problem.labels))
  const [only, ...others] = due
  const check = () =>
    only !== undefined && others.length === 0 ? void home.verify([only]) : home.checkDiscs()
  return (
    <Item
      title={t('home.due', { count })}
      says={t('home.due.says', { labels })}
      answer={
        <AnswerButton words={t('home.answer.check')} label={t('home.due', { count })} onPress={check} />
      }
    />
  )
}

function Answer({ set }: { set: HomeSet }) {
  const home = useSession(HomeSession)
  const copies = useSession(CopiesSession)
  const { problem, plan } = set
  const answer = (
    key: 'rebuild' | 'writeAgain' | 'show' | 'restore' | 'continue' | 'retry' | 'find',
    onPress: () => void,
  ) => <AnswerButton words={t(`home.answer.${key}`)} label={setLabel(set)} onPress={onPress} />
  switch (problem?.kind) {
    case 'damaged':
      return plan?.directoryExists
        ? answer('rebuild', () => void home.openSet(set))
        : answer('restore', () => home.restore([set]))
    case 'lost': {
      const [first] = problem.copies
      return plan?.directoryExists && first
        ? answer('writeAgain', () => void copies.writeAgain(first))
        : answer('show', () => home.showCopies())
    }
    case 'interrupted':
      return answer('continue', () => void home.openSet(set))
    case 'failed':
      return answer('retry', () => void home.openSet(set))
    case 'gone':
      return answer('find', () => void home.findFolder())
    default:
      return null
  }
}

/** Files are damaged, or a volume has no copy left. */
function isAtRisk({ problem }: HomeSet): boolean {
  if (problem?.kind === 'lost') return problem.copies.some(({ left }) => left === 0)
  return problem?.kind === 'damaged'
}

function AnswerButton({ words, label, onPress }: { words: string; label: string; onPress: () => void }) {
  const isBusy = useIsRunning('build', 'verify', 'write')
  return (
    <Button
      className="plain"
      isDisabled={isBusy}
      aria-label={t('home.answer.named', { answer: words, label })}
      onPress={onPress}
    >
      {words}
    </Button>
  )
}

function problemWords({ problem, plan, volumes }: HomeSet): string {
  switch (problem?.kind) {
    case 'damaged': {
      const { count, labels } = problem
      if (labels.length === 0) return t('home.problem.damaged', { count })
      return t('home.problem.damaged.named', { count, labels: sayRanges(labels) })
    }
    case 'lost':
      return problem.copies.map((each) => `${sayLost(each)}. ${sayLeft(each.left)}`).join(' ')
    case 'interrupted':
      return t(`home.problem.interrupted.${problem.run}`, {
        count: problem.count,
        of: plan?.lastRun?.volumes ?? volumes,
      })
    case 'failed':
      return t(`home.problem.failed.${problem.run}`, { count: problem.count })
    case 'gone':
      return t('home.problem.gone')
    default:
      return ''
  }
}
