import { PreferenceControls } from '../../kit/preferences/preference-controls.tsx'
import { Section } from '../../kit/page/page.tsx'
import { MutedKinds } from '../notifications/muted-kinds.tsx'
import { useT } from './text.ts'
import classes from './own.module.css'

/** How the console looks, on every device of the person, and what they want to be told. */
export function PreferencesTab() {
  const t = useT()
  return (
    <div className={classes.preferences}>
      <Section title={t('preferences.look')}>
        <PreferenceControls />
      </Section>
      <Section title={t('preferences.told')}>
        <MutedKinds />
      </Section>
    </div>
  )
}
