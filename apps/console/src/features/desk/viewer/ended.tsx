import { Button, Group } from '@mantine/core'
import {
  IconCircleCheck,
  IconClockOff,
  IconPlugConnectedX,
  IconTrash,
  IconAlertTriangle,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import { StateView } from '../../../kit/states/states.tsx'
import { opening } from '../opening.ts'
import { DESK_PATH } from '../paths.ts'
import { useT } from '../text.ts'
import classes from '../../live-browser/live-browser.module.css'
import { NoPicture as Waiting } from '../../live-browser/no-picture.tsx'
import { useT as useLiveText } from '../../live-browser/text.ts'

const ICONS = {
  saved: IconCircleCheck,
  discarded: IconTrash,
  timeOver: IconClockOff,
  lost: IconPlugConnectedX,
  notTaken: IconPlugConnectedX,
  failed: IconAlertTriangle,
} as const

/** What stands in the place of the picture while there is none: on its way, being saved, or over. */
export function NoPicture({ run }: { run: AttendedRun }) {
  const t = useT()
  const live = useLiveText()
  const { state } = run
  // Those of workflows' editors are shown there.
  if (state === 'closed') return null
  if (state === 'waiting' || state === 'starting' || state === 'saving' || state === 'open')
    return (
      <Waiting state={state}>
        {state === 'saving' ? t('state.saving') : live(`state.${state}`, { client: run.clientName })}
      </Waiting>
    )
  const Icon = ICONS[state]
  const reason = state === 'failed' && run.error ? reasonOf(run.error.class) : null
  return (
    <div className={classes.ended} data-state={state}>
      <StateView
        icon={<Icon size={24} stroke={1.6} />}
        title={t(`ended.${state}.title`)}
        text={t(`ended.${state}.text`, { name: run.accountName ?? run.profileName ?? '' })}
        detail={reason ? t(`why.${reason}`) : undefined}
        role={state === 'saved' ? 'status' : 'alert'}
        {...(state === 'failed' || state === 'lost' ? { tone: 'red' as const } : {})}
        action={
          <Group gap={8} justify="center">
            {state !== 'saved' && (
              <Button
                variant="default"
                onClick={() =>
                  opening.set({
                    ...(run.accountId !== null
                      ? { accountId: run.accountId }
                      : { profileId: run.profileId ?? '' }),
                    name: run.accountName ?? run.profileName ?? '',
                  })
                }
              >
                {t('viewer.again')}
              </Button>
            )}
            <Button component={Link} to={DESK_PATH}>
              {t('viewer.toDesk')}
            </Button>
          </Group>
        }
      />
    </div>
  )
}

const REASONS = ['SessionEmpty', 'SessionNotSaved', 'BrowserCrashed', 'ResourceMissing'] as const

function reasonOf(errorClass: string): (typeof REASONS)[number] | null {
  return REASONS.find((reason) => reason === errorClass) ?? null
}
