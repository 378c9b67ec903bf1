import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { callAny } from '../../lib/api.ts'
import { useCan } from '../../lib/can.ts'
import { saveResponse } from '../../lib/download.ts'
import { nounOf } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { featureOf } from '../../lib/query.ts'
import type { ListHandle } from '../list/handle.ts'
import { listInput } from '../list/url-state.ts'
import { toast } from '../toast/toast.ts'

/** Whether this person may make a call at all. */
export function useMayCall(): (endpoint: Endpoint) => boolean {
  const may = useCan()
  return ({ access }) => (typeof access === 'object' ? may(access.action, access.subject) : true)
}

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
      {props.label ?? t('actions.create', { noun: nounOf(featureOf(props.for.name)) })}
    </Button>
  )
}

/** Saves what a list shows (all pages of it) as a file. */
export function ExportButton<T>(props: { for: Endpoint; of: ListHandle<T> }) {
  const t = useKitText()
  const may = useMayCall()
  const [busy, setBusy] = useState(false)
  if (!may(props.for)) return null
  const save = async (format: 'csv' | 'ndjson') => {
    setBusy(true)
    const {
      page: _page,
      perPage: _perPage,
      ...query
    } = listInput(props.of.state, props.of.options.fixed ?? {})
    try {
      const answer = await callAny(props.for, { ...query, format })
      if (answer instanceof Response) await saveResponse(answer, `${props.of.feature}.${format}`)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={16} aria-hidden />}>
          {t('actions.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => void save('ndjson')}>NDJSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
