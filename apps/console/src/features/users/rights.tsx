import { users } from '@weft/contract/users/api'
import type { Person } from '@weft/contract/users/schema'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { useRead } from '../../lib/query.ts'
import { AbilityWords } from '../roles/ability-words.tsx'
import { RoleBadges } from './overview.tsx'
import { useT } from './text.ts'
import classes from './users.module.css'

/** What a person may do in the end, in words. */
export function PersonRights({ person }: { person: Person }) {
  const t = useT()
  const record = useRead(users.abilities, { id: person.id })
  return (
    <Section title={t('sections.may')} aside={<RoleBadges person={person} />}>
      <Load of={record} part skeleton={<LinesSkeleton lines={8} />}>
        {({ rules, cut }) => (
          <>
            {cut && <p className={classes.notice}>{t('cut')}</p>}
            {rules.length === 0 ? (
              <p className={classes.nothing}>{t('mayNothing')}</p>
            ) : (
              <AbilityWords rules={rules} />
            )}
          </>
        )}
      </Load>
    </Section>
  )
}
