import type { ActivityRow } from '@weft/contract/activities/schema'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'
import { ActivityDetails } from './form.tsx'
import { Parameters, Results } from './parameters.tsx'
import { Users } from './users.tsx'

/** What is to be known of a custom activity: its parameters and results, who holds it, and what it is called. */
export function CustomHelp({ activity }: { activity: ActivityRow }) {
  const t = useT()
  return (
    <>
      <Section title={t('custom.parameters')}>
        <Parameters activity={activity} />
      </Section>
      <Section title={t('help.outputs')}>
        <Results activity={activity} />
      </Section>
      <Section title={t('custom.users')}>
        <Users activity={activity} />
      </Section>
      {activity.can.includes('update') && (
        <Section title={t('custom.details')}>
          <ActivityDetails activity={activity} />
        </Section>
      )}
    </>
  )
}
