import { Button } from '@mantine/core'
import { IconActivityHeartbeat } from '@tabler/icons-react'
import { proxies } from '@weft/contract/proxies/api'
import { useChange } from '../../kit/actions/use-change.ts'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { useT } from './text.ts'

/** Has all proxies checked, or all that the list's search and filters leave. */
export function CheckAll({ query, narrowed }: { query: Record<string, unknown>; narrowed: boolean }) {
  const t = useT()
  const may = useMayCall()
  const check = useChange(proxies.check)
  if (!may(proxies.check)) return null
  return (
    <Button
      variant="default"
      leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
      loading={check.isPending}
      onClick={() => check.mutate({ selection: { query } })}
    >
      {narrowed ? t('checkMatching') : t('checkAll')}
    </Button>
  )
}
