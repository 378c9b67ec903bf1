import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SsoButton } from '@weft/contract/access/sso/schema'
import { useAppText } from '../../lib/i18n/texts.ts'
import { noteRemember } from '../../lib/session/session.ts'
import classes from './auth.module.css'

/** A button per provider; each leaves the console for the provider's own page. */
export function ProviderButtons(props: {
  buttons: readonly SsoButton[]
  nextUrl: string | null
  remember: boolean
  /** Where there is no form that has it. */
  rememberBox?: ReactNode
}) {
  const t = useAppText()
  if (props.buttons.length === 0) return null
  return (
    <>
      {!props.rememberBox && <div className={classes.or}>{t('signIn.or')}</div>}
      <Stack gap={12}>
        {props.rememberBox}
        {props.buttons.map((button) => (
          <Button
            key={button.key}
            component="a"
            href={startUrlOf(button, props.nextUrl, props.remember)}
            variant="default"
            size="md"
            fullWidth
            onClick={() => noteRemember(props.remember)}
          >
            <bdi>{t('signIn.by', { name: button.name })}</bdi>
          </Button>
        ))}
      </Stack>
    </>
  )
}

/** Where a button leads: to the provider, and back to the page that was wanted. */
function startUrlOf({ startUrl }: SsoButton, nextUrl: string | null, remember: boolean): string {
  const query = new URLSearchParams()
  if (nextUrl) query.set('nextUrl', nextUrl)
  if (remember) query.set('remember', '1')
  return query.size > 0 ? `${startUrl}?${query.toString()}` : startUrl
}
