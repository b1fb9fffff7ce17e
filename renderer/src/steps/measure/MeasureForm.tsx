import { BAND_KINDS, MEASURED_CODECS, TEST_OPERATIONS } from '../../../../src/contract/dto/measure'
import { Check, ChoiceGroup, Choices, SizeLine, TextLine } from '../../components/fields'
import { spoken, t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { SurveySession } from '../survey/surveySession'
import { Places, SomeOf } from './formParts'
import { MeasureSession } from './measureSession'
import { isDepth, specKinds, wrongFields } from './measureState'

/** Where to measure, with which specification, under which conditions. */
export function MeasureForm({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form } = useStateOf(MeasureSession)
  return (
    <>
      <Places
        session={session}
        none={t('measure.where.none')}
        chosen={form.place}
        mayRead
        running={running}
      />
      <Inside running={running} />
      <SpecChoice running={running} />
      <Conditions running={running} />
    </>
  )
}

const INSIDE = ['disk', ...BAND_KINDS, 'all'] as const
const ENCRYPTIONS = [null, 128, 256] as const
const CACHES = ['spec', 'uncached', 'buffered'] as const

/** The disk itself, or a container on it and its encryption, or every kind plain and encrypted. */
function Inside({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form } = useStateOf(MeasureSession)
  const { inside, encryption } = form
  const isDisabled = running || form.readOnly
  return (
    <Choices
      title={t('measure.inside')}
      options={INSIDE.map((id) => ({
        id,
        name: t(`measure.inside.${id}`),
        note: id === inside ? t(`measure.inside.${id}.note`) : undefined,
      }))}
      chosen={inside}
      isDisabled={isDisabled}
      // Disk images were compared with the files of Stibium.
      onChange={(id) =>
        session.set(id === 'all' && form.spec === 'quick' ? { inside: id, spec: 'stibium' } : { inside: id })
      }
    >
      {inside !== 'disk' && (
        <ChoiceGroup
          title={t('measure.encryption')}
          isLabelled
          options={ENCRYPTIONS.filter((id) => inside !== 'all' || id !== null).map((id) => ({
            id,
            name: t(`measure.encryption.${id ?? 'none'}`),
          }))}
          chosen={inside === 'all' ? (encryption ?? 256) : encryption}
          isDisabled={isDisabled}
          onChange={(id) => session.set({ encryption: id })}
        />
      )}
    </Choices>
  )
}

function SpecChoice({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form } = useStateOf(MeasureSession)
  const survey = useStateOf(SurveySession)
  const kinds = specKinds(form, (survey.document?.totals.files ?? 0) > 0)
  return (
    <Choices
      title={t('measure.what')}
      options={kinds.map((id) => ({
        id,
        name: t(`preset.${id}`, { name: spoken(form.again?.name ?? '') }),
        note: id === form.spec ? t(`preset.${id}.note`) : undefined,
      }))}
      chosen={form.spec}
      isDisabled={running || form.readOnly}
      onChange={(spec) => session.set({ spec })}
    >
      {form.spec === 'own' && <OwnTest running={running || form.readOnly} />}
    </Choices>
  )
}

/** A test of one's own: the same as the command line's --size, --count and --mix. */
function OwnTest({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form } = useStateOf(MeasureSession)
  const wrong = wrongFields(form)
  return (
    <>
      <TextLine
        label={t('own.size')}
        example={t('own.size.example')}
        text={form.size}
        isWrong={wrong.has('size')}
        note={t(wrong.has('size') ? 'own.size.wrong' : 'own.size.note')}
        isDisabled={running}
        onChange={(size) => session.set({ size }, true)}
      />
      <TextLine
        label={t('own.count')}
        example="30"
        text={form.count}
        isWrong={wrong.has('count')}
        note={t(wrong.has('count') ? 'own.count.wrong' : 'own.count.note')}
        isDisabled={running}
        onChange={(count) => session.set({ count }, true)}
      />
      <SomeOf
        label={t('own.mix')}
        running={running}
        all={TEST_OPERATIONS}
        chosen={form.mix}
        words={(each) => t(`own.mix.${each}`)}
        onChange={(mix) => session.set({ mix })}
      />
    </>
  )
}

function Conditions({ running }: { running: boolean }) {
  const session = useSession(MeasureSession)
  const { form } = useStateOf(MeasureSession)
  return (
    <section className="conditions" aria-label={t('measure.how')}>
      <h2>{t('measure.how')}</h2>
      <SizeLine
        label={t('measure.budget')}
        example={t('measure.budget.example')}
        value={form.budget}
        empty={t(form.inside === 'all' ? 'measure.budget.all' : 'measure.budget.asSpec')}
        wrong={t('measure.budget.notSize')}
        isDisabled={running}
        onChange={(budget) => session.set({ budget }, true)}
      />
      <TextLine
        label={t('own.depth')}
        example="1"
        text={form.depth}
        isWrong={!isDepth(form.depth)}
        note={t(isDepth(form.depth) ? 'own.depth.note' : 'own.depth.wrong')}
        isDisabled={running}
        onChange={(depth) => session.set({ depth }, true)}
      />
      <ChoiceGroup
        title={t('measure.codec')}
        isLabelled
        options={[null, ...MEASURED_CODECS].map((id) => ({
          id,
          name: id ?? t('measure.codec.none'),
          note: id === form.codec && id !== null ? t('measure.codec.note') : undefined,
        }))}
        chosen={form.codec}
        isDisabled={running || form.readOnly || form.inside !== 'disk'}
        onChange={(codec) => session.set({ codec })}
      />
      <ChoiceGroup
        title={t('measure.cache')}
        isLabelled
        options={CACHES.map((id) => ({
          id,
          name: t(`measure.cache.${id}`),
          note: id === form.cache ? t(`measure.cache.${id}.note`) : undefined,
        }))}
        chosen={form.cache}
        isDisabled={running}
        onChange={(cache) => session.set({ cache })}
      />
      <Check
        words={t('measure.readOnly')}
        note={t(form.place?.mayWrite === false ? 'measure.readOnly.source' : 'measure.readOnly.note')}
        isOn={form.readOnly}
        isDisabled={running || form.place?.mayWrite === false}
        onChange={(readOnly) => session.set({ readOnly })}
      />
    </section>
  )
}
