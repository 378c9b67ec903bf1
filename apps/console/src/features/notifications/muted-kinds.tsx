import { Stack, Switch, Text } from '@mantine/core'
import { notifications } from '@weft/contract/notifications/api'
import { NOTIFICATION_KINDS, NOTIFICATION_KIND_NAMES } from '@weft/contract/notifications/schema'
import { useChange } from '../../kit/actions/use-change.ts'
import { Load, LinesSkeleton } from '../../kit/states/states.tsx'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { useT } from './text.ts'

/** A switch for each kind that one may do without. */
export function MutedKinds() {
  const t = useT()
  const muted = useRead(notifications.muted, {})
  const mute = useChange(notifications.mute)
  const looksOn = signedIn.get()?.viewing !== undefined
  return (
    <Load of={muted} part skeleton={<LinesSkeleton lines={8} />}>
      {({ kinds }) => (
        <Stack gap={14}>
          {NOTIFICATION_KIND_NAMES.filter((kind) => NOTIFICATION_KINDS[kind].mutable).map((kind) => (
            <Switch
              key={kind}
              label={text(`notifications:names.${kind}`)}
              checked={!kinds.includes(kind)}
              disabled={mute.isPending || looksOn}
              onChange={(event) => mute.mutate({ kind, muted: !event.currentTarget.checked })}
            />
          ))}
          <Text c="dimmed" fz="sm">
            {t('always')}
          </Text>
        </Stack>
      )}
    </Load>
  )
}
