import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { readProxyLine } from '@weft/contract/proxies/lines'
import { useFormScope } from '../../kit/form/context.ts'
import { useT } from './text.ts'

/** A proxy as providers write it, in one line; what can be read of it goes into the fields below. */
export function LineField() {
  const t = useT()
  const id = useId()
  const { store } = useFormScope()
  const [line, setLine] = useState('')
  const read = line.trim() === '' ? null : readProxyLine(line)
  const take = (text: string) => {
    setLine(text)
    const found = readProxyLine(text)
    if (!('proxy' in found)) return
    const { protocol, host, port, username, password } = found.proxy
    store.set('protocol', protocol)
    store.set('host', host)
    store.set('port', Number(port))
    store.set('username', username || null)
    store.set('password', password || undefined)
  }
  return (
    <TextInput
      id={id}
      label={t('line.label')}
      description={t('line.help')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="user:password@proxy.example.net:8080"
      value={line}
      onChange={(event) => take(event.currentTarget.value)}
      error={read && 'problem' in read ? t(`line.${read.problem}`) : null}
      dir="ltr"
      autoComplete="off"
      maxLength={2048}
    />
  )
}
