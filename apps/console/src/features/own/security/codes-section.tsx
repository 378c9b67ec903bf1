import { Button, Text } from '@mantine/core'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import type { TwoSteps } from '@weft/contract/access/two-steps/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'
import { freshCodes } from './fresh-codes.ts'
import classes from '../own.module.css'

/** So few codes left are worth a word. */
const FEW = 3

/** How many recovery codes are left, and new ones. */
export function CodesSection({ state }: { state: TwoSteps }) {
  const t = useT()
  const renew = useChange(twoSteps.renewCodes, {
    onDone: ({ recoveryCodes }) => freshCodes.set(recoveryCodes),
  })
  const on = state.totp || state.passkeys > 0
  const left = state.recoveryCodesLeft
  const ask = async () => {
    if (left === 0 || (await confirm({ text: t('codes.renewText'), confirmLabel: t('codes.renew') })))
      renew.mutate({})
  }
  return (
    <Section title={t('codes.title')}>
      <div className={classes.state}>
        <div className={classes.main}>
          <span>{on ? t('codes.left', { count: left }) : t('codes.off')}</span>
          {on && left <= FEW && (
            <Text fz="xs" c="var(--tone-amber-text)">
              {t('codes.few')}
            </Text>
          )}
        </div>
        {on && (
          <Button variant="default" loading={renew.isPending} onClick={() => void ask()}>
            {t('codes.renew')}
          </Button>
        )}
      </div>
    </Section>
  )
}
