import { Alert, Anchor } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useSyncExternalStore } from 'react'
import { botCheck } from '@weft/contract/access/bot-check/api'
import type { BotCheckSettings } from '@weft/contract/access/bot-check/schema'
import { BOT_ACTIONS } from '@weft/contract/core/bot-actions'
import { MultiSelectField } from '../../../kit/fields/choice.tsx'
import { NumberField } from '../../../kit/fields/number.tsx'
import { SecretField, TextField } from '../../../kit/fields/text.tsx'
import { FormBody } from '../../../kit/form/form.tsx'
import { useCallForm } from '../../../kit/form/use-resource-form.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { config } from '../../../lib/config.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'

/** After a save the form stays where it is. */
const stay = () => {}

/** How calls are checked for being made by programs. */
export function BotCheckTab() {
  const record = useRead(botCheck.settings, {})
  return (
    <Load of={record}>
      {(settings) => <BotCheckForm key={JSON.stringify(settings)} settings={settings} />}
    </Load>
  )
}

function BotCheckForm({ settings }: { settings: BotCheckSettings }) {
  const t = useT()
  const [, setSearch] = useSearchParams()
  const { googleReCaptchaKey: siteKey } = useSyncExternalStore(config.subscribe, config.get)
  const { secret: _secret, ...initial } = settings
  const form = useCallForm(botCheck.save, { initial, done: t('botCheck.saved'), onDone: stay })
  return (
    <Section title={t('botCheck.title')}>
      <div style={{ display: 'flex', maxWidth: 720, flexDirection: 'column', gap: 16 }}>
        <Alert color={siteKey ? 'green' : 'gray'}>
          {siteKey ? t('botCheck.on') : t('botCheck.off')}{' '}
          <Anchor component="button" type="button" inherit onClick={() => setSearch({})}>
            {t('botCheck.toKey')}
          </Anchor>
        </Alert>
        <FormBody form={{ ...form, record: settings }} cancel={false} submitLabel={text('kit:common.save')}>
          <TextField
            name="verifyUrl"
            ltr
            label={t('botCheck.verifyUrl')}
            help={t('botCheck.verifyUrlHelp')}
          />
          <TextField
            name="scriptUrl"
            ltr
            label={t('botCheck.scriptUrl')}
            help={t('botCheck.scriptUrlHelp')}
          />
          <SecretField name="secret" label={t('botCheck.secret')} />
          <NumberField
            name="minScore"
            step={0.1}
            label={t('botCheck.minScore')}
            help={t('botCheck.minScoreHelp')}
          />
          <MultiSelectField
            name="actions"
            label={t('botCheck.actions')}
            help={t('botCheck.actionsHelp')}
            options={BOT_ACTIONS.map((value) => ({ value, label: t(`botCheck.names.${value}`) }))}
          />
        </FormBody>
      </div>
    </Section>
  )
}
