import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { users } from '@weft/contract/users/api'
import type { OwnProfile } from '@weft/contract/users/schema'
import { FormBody } from '../../../kit/form/form.tsx'
import { useCallForm } from '../../../kit/form/use-resource-form.ts'
import { SelectField } from '../../../kit/fields/choice.tsx'
import { TextField } from '../../../kit/fields/text.tsx'
import { Facts, Section } from '../../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { Dash, Ltr } from '../../../kit/values/values.tsx'
import { changeLanguage } from '../../../lib/i18n/i18n.ts'
import { LANGUAGES, languageOf } from '../../../lib/i18n/languages.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { reloadUser } from '../../../lib/session/session.ts'
import { useT } from '../text.ts'
import { Picture } from './picture.tsx'
import classes from '../own.module.css'

/** Name, picture, language and time zone. */
export function ProfileTab() {
  const t = useT()
  const profile = useRead(users.profile, {})
  return (
    <div className={classes.column}>
      <Section title={t('profile.picture')}>
        <Picture />
      </Section>
      <Section title={t('profile.title')}>
        <Load of={profile} part skeleton={<LinesSkeleton lines={5} />}>
          {(data) => <ProfileForm key={data.version} profile={data} />}
        </Load>
      </Section>
    </div>
  )
}

function ProfileForm({ profile }: { profile: OwnProfile }) {
  const t = useT()
  const { version, displayName, locale, timeZone } = profile
  const form = useCallForm(users.updateProfile, {
    initial: { displayName, locale, timeZone },
    toInput: (values) => ({ ...values, version }),
    done: text('kit:toasts.updated'),
    onDone: (saved) => {
      void reloadUser()
      if (saved['locale'] !== locale) void changeLanguage(languageOf(saved['locale']))
    },
  })
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  return (
    <>
      <Facts
        rows={[
          [t('profile.username'), <Ltr key="name">{profile.username}</Ltr>],
          [t('profile.email'), profile.email ? <Ltr key="email">{profile.email}</Ltr> : <Dash key="none" />],
        ]}
      />
      <Text fz="xs" c="dimmed" mt={8} mb={16}>
        {t('profile.byAdministrator')}
      </Text>
      <FormBody form={form} cancel={false} submitLabel={text('kit:common.save')}>
        <TextField name="displayName" label={t('profile.displayName')} help={t('profile.displayNameHelp')} />
        <SelectField
          name="locale"
          label={t('profile.language')}
          help={t('profile.languageHelp')}
          options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
          clearable={false}
        />
        <SelectField
          name="timeZone"
          label={t('profile.timeZone')}
          help={t('profile.timeZoneHelp')}
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          placeholder={new Intl.DateTimeFormat().resolvedOptions().timeZone}
          searchable
        />
      </FormBody>
    </>
  )
}
