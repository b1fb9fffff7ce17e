import { useState } from 'react'
import {
  DISK_MEDIUM,
  type OptionEncryption,
  type OptionsDocument,
  optionEncryptionSchema,
} from '../../../../../src/contract/dto/options'
import { typesNotWorthCompressing } from '../../../../../src/contract/dto/survey'
import { shortShare } from '../../../../../src/primitives/quantity'
import { Folded } from '../../../components/Folded'
import { Check, TextLine } from '../../../components/fields'
import { Segments } from '../../../components/Segments'
import { typedSize } from '../../../components/typedSize'
import { t } from '../../../copy'
import { extensionName } from '../../../format/extensionName'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { PlanSession } from '../../plan/planSession'
import { SurveySession } from '../../survey/surveySession'
import { OptionsSession } from '../optionsSession'
import type { OptionsForm } from '../optionsState'
import { useOptions } from '../useOptions'
import { ExpertPreferences } from './ExpertPreferences'
import { FolderRules } from './FolderRules'
import { ShareSlider } from './ShareSlider'
import { SystemChecks } from './SystemChecks'
import { countIn, durationIn } from './typedLimits'

const MOST_MEDIA = 8
const MOST_TYPES = 8
const MOST_PROTECTION = 0.5
const ENCRYPTIONS: readonly OptionEncryption[] = optionEncryptionSchema.options

/**
 * Media and encryption; the other settings are folded while none of them is set. The options are
 * listed again after each change.
 */
export function Preferences({ document }: { document: OptionsDocument | null }) {
  const session = useSession(OptionsSession)
  const { form } = useStateOf(OptionsSession)
  const [hasMore] = useState(() => isMoreSet(form))
  return (
    <section className="preferences stack" aria-label={t('preferences.label')}>
      <Media />
      <div>
        <h2>{t('preferences.encryption')}</h2>
        <Segments
          label={t('preferences.encryption')}
          all={ENCRYPTIONS}
          chosen={form.encryption}
          words={(kind) => t(`preferences.encryption.${kind}`)}
          onChange={(encryption) => session.set({ encryption })}
        />
      </div>
      <Folded summary={t('preferences.expert')} isUnfolded={hasMore}>
        <div className="more-preferences stack">
          <ShareSlider
            label={t('preferences.protection')}
            value={form.protection}
            most={MOST_PROTECTION}
            step={0.01}
            words={(value) => shortShare(value)}
            onChange={(protection) => session.set({ protection }, true)}
          />
          <TypesAsIs />
          <FolderRules document={document} />
          <Limits />
          <ExpertPreferences document={document} />
        </div>
      </Folded>
    </section>
  )
}

/** True when a folded setting is not as it begins: what restricts the options is never hidden. */
function isMoreSet(form: OptionsForm): boolean {
  const { protection, storeAsIs, folderRules, readableOn, inPlace, container, measurementId } = form
  return (
    protection > 0 ||
    storeAsIs.length + folderRules.length + readableOn.length > 0 ||
    inPlace ||
    container !== null ||
    measurementId !== null ||
    [form.bytes, form.volumes, form.seconds, form.ram, form.tableEntry].some((text) => text !== '')
  )
}

function Media() {
  const session = useSession(OptionsSession)
  const { form, document } = useOptions()
  const { media } = useStateOf(PlanSession)
  const nameOf = (id: string): string =>
    media.find((medium) => medium.id === id)?.name ??
    document?.options.find(({ medium }) => medium === id)?.mediumName ??
    id
  const listed = [
    { id: DISK_MEDIUM, words: t('preferences.disk') },
    ...media.filter(({ id }) => !id.includes(':')).map(({ id, name }) => ({ id, words: name })),
  ]
  // A variant or custom size that was chosen elsewhere is listed too once it is requested.
  const own = form.mediumIds
    .filter((id) => listed.every((medium) => medium.id !== id))
    .map((id) => ({ id, words: nameOf(id) }))
  const { mediumIds } = form
  return (
    <div role="group" aria-label={t('preferences.media')}>
      <h2>{t('preferences.media')}</h2>
      <Folded summary={mediumIds.map(nameOf).join(', ') || t('preferences.media.none')}>
        <div className="preference-media stack scroll">
          {[...listed, ...own].map(({ id, words }) => (
            <Check
              key={id}
              words={words}
              isOn={mediumIds.includes(id)}
              isDisabled={!mediumIds.includes(id) && mediumIds.length >= MOST_MEDIA}
              onChange={(isOn) =>
                session.set({
                  mediumIds: isOn ? [...mediumIds, id] : mediumIds.filter((other) => other !== id),
                })
              }
            />
          ))}
        </div>
      </Folded>
      {mediumIds.length === 0 && <div className="field-note bad">{t('preferences.media.none')}</div>}
      {mediumIds.length >= MOST_MEDIA && <div className="field-note">{t('preferences.media.most')}</div>}
    </div>
  )
}

/** The types that the survey finds not worth compressing, each to be stored as it is. */
function TypesAsIs() {
  const session = useSession(OptionsSession)
  const { storeAsIs } = useStateOf(OptionsSession).form
  const { document } = useStateOf(SurveySession)
  const found = typesNotWorthCompressing(document?.types ?? [])
  const all = [...new Set([...found.slice(0, MOST_TYPES), ...storeAsIs])]
  if (all.length === 0) return null
  return (
    <div className="preference-checks" role="group" aria-label={t('preferences.asIs')}>
      <div className="figure-label">{t('preferences.asIs')}</div>
      {all.map((type) => (
        <Check
          key={type}
          words={extensionName(type)}
          isOn={storeAsIs.includes(type)}
          onChange={(isOn) =>
            session.set({
              storeAsIs: isOn ? [...storeAsIs, type].sort() : storeAsIs.filter((other) => other !== type),
            })
          }
        />
      ))}
      <div className="field-note">{t('preferences.asIs.note')}</div>
    </div>
  )
}

/** The limits that are typed, how each is read, and what to say where it cannot be. */
const TYPED = [
  { name: 'bytes', read: typedSize, wrong: 'preferences.notSize' },
  { name: 'volumes', read: countIn, wrong: 'preferences.notCount' },
  { name: 'seconds', read: durationIn, wrong: 'preferences.notTime' },
  { name: 'ram', read: typedSize, wrong: 'preferences.notSize' },
] as const

function Limits() {
  const session = useSession(OptionsSession)
  const { form } = useStateOf(OptionsSession)
  const { container } = form
  return (
    <div role="group" aria-label={t('preferences.limits')} className="preference-limits">
      <h2>{t('preferences.limits')}</h2>
      {TYPED.map(({ name, read, wrong }) => {
        const isWrong = read(form[name]) === undefined
        return (
          <TextLine
            key={name}
            label={t(`preferences.${name}`)}
            example={t(`preferences.${name}.example`)}
            text={form[name]}
            isWrong={isWrong}
            note={isWrong ? t(wrong) : undefined}
            onChange={(text) => session.set({ [name]: text }, true)}
          />
        )
      })}
      <div className="preference-checks" role="group" aria-label={t('preferences.readableOn')}>
        <div className="figure-label">{t('preferences.readableOn')}</div>
        <SystemChecks />
      </div>
      <div className="preference-checks">
        <Check
          words={t('preferences.inPlace')}
          isOn={form.inPlace}
          onChange={(inPlace) => session.set({ inPlace })}
        />
        {container !== null && (
          <Check
            words={t('preferences.container', { name: container })}
            isOn
            onChange={() => session.set({ container: null })}
          />
        )}
      </div>
    </div>
  )
}
