import { NumberField } from '../../../kit/fields/number.tsx'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'
import classes from './editor.module.css'

/** How fast it goes. */
export function PacingSection() {
  const t = useT()
  return (
    <Section title={t('editor.pacing')}>
      <div className={classes.joins}>
        <NumberField name="pacing.maxParallel" placeholder={t('noLimit')} />
        <NumberField name="pacing.delaySeconds" />
        <NumberField name="pacing.perAccountPerDay" placeholder={t('noLimit')} />
        <NumberField name="pacing.perDomainPerMinute" placeholder={t('noLimit')} />
        <NumberField name="priority" />
      </div>
    </Section>
  )
}

/** What happens when items fail. */
export function ErrorPolicySection() {
  const t = useT()
  return (
    <Section title={t('editor.errors')}>
      <div className={classes.joins}>
        <NumberField name="errors.attempts" />
        <NumberField name="errors.backoffSeconds" />
        <NumberField name="errors.stopAfter" placeholder={t('never')} />
        <NumberField name="errors.stopAfterPercent" placeholder={t('never')} />
      </div>
    </Section>
  )
}
