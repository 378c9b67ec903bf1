import { Alert, Button, Loader, Modal, NumberInput, TagsInput } from '@mantine/core'
import { IconCircleCheck, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { clients } from '@weft/contract/clients/api'
import type { OutputOf } from '@weft/contract/core/endpoint'
import { CopyField } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.ts'
import { text, useKitText } from '../../lib/i18n/texts.ts'
import { queryClient, useRead } from '../../lib/query.ts'
import { useChange } from '../../kit/actions/use-change.ts'
import { clientPath } from './actions.ts'
import classes from './clients.module.css'
import { countdown, findNewcomer } from './newcomer.ts'
import { OpenJoinCodes } from './join-codes.tsx'
import { useT } from './text.ts'

type JoinCode = OutputOf<typeof clients.joinCode> & { labels: string[]; known: ReadonlySet<string> }

const NEWEST = { sortBy: 'createdAt', sortDesc: true, perPage: 20 } as const
const LOOK_EVERY_MS = 3000
const MOST_SLOTS = 64
const USUAL_SLOTS = 16

/** The button that makes a join code and waits for the machine. */
export function AddClientButton({ variant }: { variant?: 'filled' | 'default' }) {
  const t = useT()
  const may = useCan()('CREATE', 'CLIENT')
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button
        variant={variant ?? 'filled'}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('add.button')}
      </Button>
      <Modal
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
        opened={open}
        onClose={() => setOpen(false)}
        title={t('add.title')}
        size={560}
      >
        {open && <AddClient close={() => setOpen(false)} />}
      </Modal>
    </>
  )
}

function AddClient({ close }: { close: () => void }) {
  const [code, setCode] = useState<JoinCode | null>(null)
  if (!code) return <CodeForm onMade={setCode} />
  return <Waiting key={code.id} code={code} again={() => setCode(null)} close={close} />
}

function CodeForm({ onMade }: { onMade: (code: JoinCode) => void }) {
  const t = useT()
  const [labels, setLabels] = useState<string[]>([])
  const [slots, setSlots] = useState<number | string>(USUAL_SLOTS)
  const maxSlots = typeof slots === 'number' ? slots : USUAL_SLOTS
  const make = useChange(clients.joinCode)
  const submit = async () => {
    // What is there before the code is made cannot have come with it.
    const before = await call(clients.list, NEWEST)
    const made = await make.mutateAsync({ labels, maxSlots })
    onMade({ ...made, labels, known: new Set(before.data.map(({ id }) => id)) })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // A failure is shown as a toast by the change itself.
        submit().catch(() => {})
      }}
    >
      <p className={classes.lead}>{t('add.lead')}</p>
      <TagsInput
        label={t('fields.labels')}
        description={t('help.labels')}
        value={labels}
        onChange={(next) => setLabels(next.filter((label) => /^[\w.:-]{1,40}$/.test(label)))}
        mb={16}
      />
      <NumberInput
        label={t('add.maxSlots')}
        description={t('add.maxSlotsHelp')}
        value={slots}
        onChange={setSlots}
        min={1}
        max={MOST_SLOTS}
        allowDecimal={false}
        w={200}
        mb={24}
      />
      <Button type="submit" loading={make.isPending} fullWidth data-autofocus>
        {t('add.make')}
      </Button>
      <OpenJoinCodes />
    </form>
  )
}

function Waiting({ code, again, close }: { code: JoinCode; again: () => void; close: () => void }) {
  const t = useT()
  const now = useNow()
  const until = Date.parse(code.expiresAt)
  const left = countdown(until, now)
  const newest = useRead(clients.list, NEWEST, { every: LOOK_EVERY_MS })
  const found = findNewcomer(newest.data?.data ?? [], code.known, code)
  if (found) return <Found id={found.id} name={found.name} close={close} again={again} />
  if (left === null)
    return (
      <>
        <Alert color="yellow" mb={16}>
          {t('add.expired')}
        </Alert>
        <Button onClick={again} fullWidth>
          {t('add.another')}
        </Button>
      </>
    )
  return (
    <>
      <ol className={classes.steps}>
        <li className={classes.step}>{t('add.step1')}</li>
        <li className={classes.step}>
          {t('add.step2')}
          <CopyField value={code.command} label={t('add.copyCommand')} />
        </li>
      </ol>
      <p>{t('add.codeAlone')}</p>
      <div className={classes.code}>
        <bdi className="ltr">{code.code}</bdi>
      </div>
      <output className={classes.waiting}>
        <Loader size={18} aria-hidden />
        <span>{t('add.waiting')}</span>
        <span className="numbers" style={{ marginInlineStart: 'auto' }} aria-hidden>
          <bdi className="ltr">{left}</bdi>
        </span>
      </output>
    </>
  )
}

function Found(props: { id: string; name: string; close: () => void; again: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const kit = useKitText()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.focus()
    // The list behind shows the newcomer at once, whether or not the hub has told of it yet.
    void queryClient.invalidateQueries({ queryKey: [clients.list.name] })
  }, [])
  return (
    <div className={classes.found} ref={ref} tabIndex={-1} aria-live="polite">
      <span className={classes.foundIcon}>
        <IconCircleCheck size={28} aria-hidden />
      </span>
      <strong>
        <bdi>{t('add.found', { name: props.name })}</bdi>
      </strong>
      <span>{t('add.foundText')}</span>
      <div className={classes.badges}>
        <Button onClick={() => void navigate(clientPath(props.id))}>{t('add.openClient')}</Button>
        <Button variant="default" onClick={props.again}>
          {t('add.another')}
        </Button>
        <Button variant="default" onClick={props.close}>
          {kit('common.close')}
        </Button>
      </div>
    </div>
  )
}

/** The time, each second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
