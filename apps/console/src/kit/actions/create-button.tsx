import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { Link, useLocation } from 'react-router'
import { aNounOf } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { featureOf } from '../../lib/query.ts'
import { useMayCall } from './use-may-call.ts'

/** Leads to the form that creates one; shown to those who may. */
export function CreateButton(props: {
  for: Endpoint
  to?: string
  label?: string
  variant?: 'filled' | 'default'
}) {
  const t = useKitText()
  const may = useMayCall()
  const { search } = useLocation()
  if (!may(props.for)) return null
  const to = props.to ?? 'new'
  return (
    <Button
      component={Link}
      to={to.startsWith('/') ? to : { pathname: to, search }}
      variant={props.variant ?? 'filled'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {props.label ?? t('actions.create', { noun: aNounOf(featureOf(props.for.name)) })}
    </Button>
  )
}
