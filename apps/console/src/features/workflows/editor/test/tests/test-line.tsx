import { ActionIcon, Anchor, Button, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { useChange } from '../../../../../kit/actions/use-change.ts'
import { confirm } from '../../../../../kit/confirm/confirm.ts'
import { Time } from '../../../../../kit/values/values.tsx'
import { errorText } from '../../../../../lib/i18n/names.ts'
import { useKitText } from '../../../../../lib/i18n/texts.ts'
import { runPath } from '../../../../runs/paths.ts'
import { copyOfTest, draftOfTest, freeName } from '../../../model/tests/test-draft.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { useTestDesk } from '../test-desk.ts'
import { Checks } from './checks.tsx'
import { StandingBadge } from './standing-badge.tsx'
import classes from './tests.module.css'
import { useMayTest, type StandingTest } from './use-tests.ts'

/** One test: how it stands, what can be done with it, and below it what its last run found. */
export function TestLine(props: {
  of: StandingTest
  busy: boolean
  names: readonly string[]
  run: () => void
  onGo?: () => void
}) {
  const t = useT()
  const { of, busy, onGo } = props
  const { test, standing, refused } = of
  const { last } = test
  const mayTest = useMayTest()
  const { readOnly } = useEditor()
  const [toggled, setToggled] = useState<boolean | null>(null)
  const open = toggled ?? (standing === 'failed' && last !== null)
  const detailsId = useId()
  return (
    <li className={classes.line} data-standing={standing}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setToggled(!open)}
        >
          <IconChevronDown size={16} aria-hidden className={classes.chevron} data-open={open || undefined} />
          <bdi>{test.name}</bdi>
        </UnstyledButton>
        <output>
          <StandingBadge standing={standing} />
        </output>
        <span className={classes.dim}>
          {last && (
            <>
              <Time at={last.at} /> · <bdi>{last.byName}</bdi>
            </>
          )}
        </span>
        <span className={classes.tools}>
          {mayTest && (
            <Tooltip label={t('tests.run')}>
              <ActionIcon
                size={30}
                aria-label={t('tests.runNamed', { name: test.name })}
                disabled={busy}
                onClick={props.run}
              >
                <IconPlayerPlay size={16} className="flip-rtl" aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          {!readOnly && <More test={test} names={props.names} disabled={busy} />}
        </span>
      </div>
      {refused && (
        <p className={classes.refused} role="alert">
          {errorText(refused.code, refused.params, refused.message)}
          {[...refused.inputs.keys()].map((name) => (
            <bdi key={name} className="ltr">
              {' '}
              {name}
            </bdi>
          ))}
        </p>
      )}
      <div id={detailsId} hidden={!open} className={classes.details}>
        {open && <Details of={of} {...(onGo ? { onGo } : {})} />}
      </div>
    </li>
  )
}

function Details({ of: { test, standing }, onGo }: { of: StandingTest; onGo?: () => void }) {
  const t = useT()
  const desk = useTestDesk()
  const { last } = test
  if (!last) return <p className={classes.dim}>{t('tests.neverText')}</p>
  return (
    <>
      {standing === 'stale' && (
        <p className={classes.dim}>
          {t(last.revision === test.revision ? 'tests.staleDraft' : 'tests.staleTest')}
        </p>
      )}
      <Checks last={last} expected={test.expectedResult} {...(onGo ? { onGo } : {})} />
      <div className={classes.tools}>
        <Button size="compact-sm" variant="default" onClick={() => desk.show(last.runId)}>
          {t('tests.showRun')}
        </Button>
        <Anchor component={Link} to={runPath(last.runId)} size="sm">
          {t('test.toRun')}
        </Anchor>
      </div>
    </>
  )
}

function More(props: { test: StandingTest['test']; names: readonly string[]; disabled: boolean }) {
  const t = useT()
  const kit = useKitText()
  const desk = useTestDesk()
  const { test, names, disabled } = props
  const remove = useChange(workflowTests.remove)
  const ask = async () => {
    if (await confirm({ name: test.name, text: t('tests.removeText'), danger: true }))
      remove.mutate({ id: test.id })
  }
  return (
    <>
      <Tooltip label={kit('actions.edit')}>
        <ActionIcon
          size={30}
          aria-label={t('tests.editNamed', { name: test.name })}
          disabled={disabled}
          onClick={() => desk.draft.set(draftOfTest(test))}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={30} aria-label={t('tests.moreNamed', { name: test.name })} disabled={disabled}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCopy size={15} aria-hidden />}
            onClick={() => desk.draft.set(copyOfTest(test, freeName(test.name, names)))}
          >
            {kit('actions.copy')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => void ask()}>
            {kit('actions.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
