import { type ReactNode, useId } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import { costOfVolumes } from '../../../../src/contract/costText'
import { pricesOf } from '../../../../src/contract/dto/settings'
import { MenuButton } from '../../components/MenuButton'
import { Segments } from '../../components/Segments'
import { t } from '../../copy'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import { OptionsSession } from '../choose/optionsSession'
import { SystemChecks } from '../choose/preferences/SystemChecks'
import { usualMedia } from '../choose/usualMedia'
import { fewestDiscs } from '../plan/fewestDiscs'
import { chosenMedium, judgeOwnSize } from '../plan/ownSize'
import { PlanSession } from '../plan/planSession'
import { discOf, discOfSize, encryptionFor, goalFor, mediaOf, ownSizeOf, WHERE, whereOf } from './answers'

const USUAL_DISC = 'bd-r-25'

/**
 * Four questions about the archive, next to one another: they decide what is offered, so that they
 * stand above the tree. Each has a usual answer and can be skipped.
 */
export function Questions() {
  return (
    <ol className="questions">
      <WhereQuestion />
      <WhoQuestion />
      <SecretQuestion />
      <SureQuestion />
    </ol>
  )
}

/** One question with its answers and what they mean. */
function Question({
  title,
  note,
  isWrong = false,
  hasCost = false,
  children,
}: {
  title: string
  note?: string
  /** The note names what is wrong with the answer. */
  isWrong?: boolean
  /** Its note becomes longer by a cost: room is kept for it. */
  hasCost?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <li className={hasCost ? 'question priced' : 'question'}>
      <h2 id={id}>{title}</h2>
      <div className="question-answers" role="group" aria-labelledby={id}>
        {children}
        {note !== undefined && <p className={isWrong ? 'field-note bad' : 'field-note'}>{note}</p>}
      </div>
    </li>
  )
}

function WhereQuestion() {
  const session = useSession(OptionsSession)
  const { form } = useStateOf(OptionsSession)
  const { settings } = useFrame()
  const { media } = useStateOf(PlanSession)
  const usual = usualMedia(media, settings.medium)
  const mediumIds = form.mediumIds.length > 0 ? form.mediumIds : usual
  const where = whereOf(mediumIds)
  const usualDisc = discOf(usual) ?? USUAL_DISC
  const disc = discOf(mediumIds) ?? usualDisc
  const own = ownSizeOf(disc)
  const size = judgeOwnSize(own)
  const problem = size.ok ? null : size.problem
  const listed = media.filter(({ id }) => !id.includes(':'))
  const name = media.find(({ id }) => id === disc)?.name ?? t('medium.own')
  const walk = useStateOf(KeptSession, ({ document }) => document)
  const limit = chosenMedium(media, disc)?.limit ?? null
  const fewest = where === 'disk' || walk === null || limit === null ? null : fewestDiscs(walk.totals, limit)
  const note = t(`question.where.note.${where}`)
  return (
    <Question
      title={t('question.where')}
      note={problem ?? (fewest === null ? note : `${note} ${sayFewest(fewest, disc, settings.prices)}`)}
      isWrong={problem !== null}
      hasCost={where !== 'disk' && costOfVolumes(pricesOf(settings.prices), disc, 1) !== null}
    >
      <div className="line">
        <Segments
          label={t('question.where')}
          all={WHERE}
          chosen={where}
          words={(each) => t(`question.where.${each}`)}
          onChange={(next) => session.set({ mediumIds: mediaOf(next, disc) })}
        />
        {where !== 'disk' && (
          <>
            <MenuButton
              label={t('question.disc')}
              name={name}
              placement="bottom start"
              all={listed.map(({ id }) => id)}
              chosen={disc}
              words={(id) => listed.find((medium) => medium.id === id)?.name ?? id}
              onPick={(id) => session.set({ mediumIds: mediaOf(where, id) })}
            />
            <TextField
              className="field question-size"
              value={own}
              isInvalid={problem !== null}
              onChange={(text) =>
                session.set(
                  { mediumIds: mediaOf(where, discOfSize(text, own === '' ? disc : usualDisc)) },
                  true,
                )
              }
            >
              <Label>{t('question.disc.own')}</Label>
              <Input placeholder={t('question.disc.own.example')} maxLength={20} />
            </TextField>
          </>
        )}
      </div>
    </Question>
  )
}

/** How many discs there are at least, and their cost where a person has noted a price. */
function sayFewest(count: number, disc: string, prices: readonly string[]): string {
  const cost = costOfVolumes(pricesOf(prices), disc, count)
  return cost === null
    ? t('question.disc.least', { count })
    : t('question.disc.leastCost', { count, cost: t('candidate.cost', cost) })
}

function WhoQuestion() {
  const session = useSession(OptionsSession)
  const { readableOn, inPlace } = useStateOf(OptionsSession).form
  return (
    <Question
      title={t('question.who')}
      note={t(readableOn.length === 0 ? 'question.who.note.any' : 'question.who.note.marked')}
    >
      <div className="line">
        <SystemChecks />
        <Segments
          label={t('question.when')}
          all={['rarely', 'often']}
          chosen={inPlace ? 'often' : 'rarely'}
          words={(each) => t(`question.when.${each}`)}
          onChange={(each) => session.set({ inPlace: each === 'often' })}
        />
      </div>
    </Question>
  )
}

function SecretQuestion() {
  const session = useSession(OptionsSession)
  const { encryption } = useStateOf(OptionsSession).form
  const chosen = encryption === 'none' ? 'no' : 'yes'
  return (
    <Question title={t('question.secret')} note={t(`question.secret.note.${chosen}`)}>
      <Segments
        label={t('question.secret')}
        all={['no', 'yes']}
        chosen={chosen}
        words={(each) => t(`question.secret.${each}`)}
        onChange={(each) => session.set({ encryption: encryptionFor(each === 'yes', encryption) })}
      />
    </Question>
  )
}

function SureQuestion() {
  const session = useSession(OptionsSession)
  const { goal } = useStateOf(OptionsSession).form
  const chosen = goal === 'anywhere' ? 'decades' : 'checked'
  return (
    <Question title={t('question.sure')} note={t(`question.sure.note.${chosen}`)}>
      <Segments
        label={t('question.sure')}
        all={['checked', 'decades']}
        chosen={chosen}
        words={(each) => t(`question.sure.${each}`)}
        onChange={(each) => session.set({ goal: goalFor(each, goal) })}
      />
    </Question>
  )
}
