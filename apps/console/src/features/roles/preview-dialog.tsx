import { Button, Group, Modal } from '@mantine/core'
import type { Rule } from '@weft/contract/core/permissions'
import { roles } from '@weft/contract/roles/api'
import type { Right, RolePreview } from '@weft/contract/roles/schema'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { useFormats } from '../../lib/formats.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../lib/query.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { actionName, functionName } from './words.ts'

/** Who gains and who loses what, before it is saved. */
export function PreviewDialog(props: {
  id: string
  rules: Rule[]
  busy: boolean
  onSave: () => void
  onClose: () => void
}) {
  const t = useT()
  const { id, rules } = props
  const preview = useQuery({ ...read(roles.preview, { id, rules }), staleTime: 0 })
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('preview.title')}
      size={640}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <Load of={preview} part skeleton={<LinesSkeleton lines={6} />}>
        {(seen) => <Seen seen={seen} />}
      </Load>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" onClick={props.onClose}>
          {text('kit:common.cancel')}
        </Button>
        <Button
          loading={props.busy}
          disabled={preview.data === undefined}
          onClick={props.onSave}
          data-autofocus
        >
          {t('save.save')}
        </Button>
      </Group>
    </Modal>
  )
}

function Seen({ seen }: { seen: RolePreview }) {
  const t = useT()
  const formats = useFormats()
  if (seen.concerned === 0) return <p className={classes.none}>{t('preview.nobody')}</p>
  const hidden = seen.concerned - seen.people.length
  return (
    <>
      <p className={classes.lead}>{t('preview.concerned', { count: seen.concerned })}</p>
      <h3 className={classes.subtitle}>{t('preview.total')}</h3>
      <ul className={classes.totals}>
        {seen.totals.map(({ subject, action, gains, losses }) => (
          <li key={`${subject}.${action}`}>
            <span>{t('preview.right', { function: functionName(subject), action: actionName(action) })}</span>
            <span className={classes.figures}>
              {gains > 0 && <span className={classes.gain}>+{formats.number(gains)}</span>}
              {losses > 0 && <span className={classes.loss}>−{formats.number(losses)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {seen.people.length > 0 && (
        <>
          <h3 className={classes.subtitle}>{t('preview.byPerson')}</h3>
          <ul className={classes.people}>
            {seen.people.map((person) => (
              <li key={person.id}>
                <strong>
                  <bdi>{person.displayName}</bdi>
                </strong>
                <Rights words={t('preview.gains')} rights={person.gains} tone={classes.gain} />
                <Rights words={t('preview.losses')} rights={person.losses} tone={classes.loss} />
              </li>
            ))}
          </ul>
        </>
      )}
      {hidden > 0 && <p className={classes.none}>{t('preview.more', { n: hidden })}</p>}
    </>
  )
}

function Rights(props: { words: string; rights: readonly Right[]; tone: string | undefined }) {
  const t = useT()
  if (props.rights.length === 0) return null
  const named = props.rights.map(({ subject, action }) =>
    t('preview.right', { function: functionName(subject), action: actionName(action) }),
  )
  return (
    <span>
      <span className={props.tone}>{props.words}</span> {named.join(t('words.separator'))}
    </span>
  )
}
