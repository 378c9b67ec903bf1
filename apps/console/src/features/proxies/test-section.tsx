import { Button } from '@mantine/core'
import { IconActivityHeartbeat, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { proxies } from '@weft/contract/proxies/api'
import { proxyTestInput, type ProxyTest } from '@weft/contract/proxies/schema'
import { useFormScope } from '../../kit/form/context.ts'
import { toast } from '../../kit/toast/toast.ts'
import { Dash, Ltr } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { useFormats } from '../../lib/formats.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { countryName } from '../../lib/countries.ts'
import { useT } from './text.ts'
import classes from './proxies.module.css'

/** Tries the proxy as it stands in the form, before it is saved. */
export function TestSection() {
  const t = useT()
  const { store, record } = useFormScope()
  const { values } = useSyncExternalStore(store.subscribe, store.get)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ of: string; result: ProxyTest } | null>(null)
  const { protocol, host, port, username, password } = values
  const input = proxyTestInput.safeParse({
    protocol,
    host,
    port,
    username,
    ...(password === undefined ? {} : { password }),
    ...(typeof record?.['id'] === 'string' ? { id: record['id'] } : {}),
  })
  const tried = JSON.stringify([protocol, host, port, username, password])
  const run = async () => {
    if (!input.success) return
    setBusy(true)
    try {
      setFound({ of: tried, result: await call(proxies.test, input.data) })
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        leftSection={<IconActivityHeartbeat size={16} aria-hidden />}
        loading={busy}
        disabled={!input.success}
        onClick={() => void run()}
      >
        {t('test.run')}
      </Button>
      <output className={classes.testResult}>
        {found?.of === tried && !busy && <Result result={found.result} />}
      </output>
    </div>
  )
}

function Result({ result }: { result: ProxyTest }) {
  const t = useT()
  const formats = useFormats()
  if (!result.ok)
    return (
      <span data-tone="red" className={classes.verdict}>
        <IconCircleX size={16} aria-hidden />
        {optionLabel('proxies', 'lastError', result.error ?? 'unreachable')}
      </span>
    )
  return (
    <span data-tone="green" className={classes.verdict}>
      <IconCircleCheck size={16} aria-hidden />
      <span>
        {t('test.good')} {result.latencyMs === null ? <Dash /> : formats.duration(result.latencyMs)}
        {result.exitIp !== null && (
          <>
            {' · '}
            <Ltr>{result.exitIp}</Ltr>
          </>
        )}
        {result.country !== null && ` · ${countryName(result.country)}`}
      </span>
    </span>
  )
}
