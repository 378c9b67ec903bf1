import { Link } from 'react-router'
import { users } from '@weft/contract/users/api'
import type { Person } from '@weft/contract/users/schema'
import { Facts, Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { Dash, Ltr, Time } from '../../kit/values/values.tsx'
import { useCan } from '../../lib/can.ts'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel, optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { OwnedList } from './owned-list.tsx'
import { personPath } from './paths.ts'
import { roleName } from './roles.ts'
import { useT } from './text.ts'
import classes from './users.module.css'

const label = (name: string) => fieldLabel('users', name)

/** Who a person is, how they come in, and what belongs to them. */
export function PersonOverview({ person }: { person: Person }) {
  const t = useT()
  const may = useCan()
  return (
    <>
      <Section title={t('sections.person')}>
        <Facts
          rows={[
            [label('username'), <Ltr key="username">{person.username}</Ltr>],
            [label('email'), person.email ? <Ltr key="email">{person.email}</Ltr> : <Dash key="email" />],
            [label('roles'), <RoleBadges key="roles" person={person} />],
            [label('locale'), optionLabel('users', 'locale', person.locale)],
            [
              label('timeZone'),
              person.timeZone ? <Ltr key="zone">{person.timeZone}</Ltr> : <Dash key="zone" />,
            ],
            [label('lastSeenAt'), <Time key="seen" at={person.lastSeenAt} />],
            [label('createdAt'), <Time key="created" at={person.createdAt} exact />],
            [
              label('createdByName'),
              person.createdByName && person.createdBy && person.createdBy !== person.id ? (
                <Link key="by" to={personPath(person.createdBy)}>
                  <bdi>{person.createdByName}</bdi>
                </Link>
              ) : (
                <bdi key="by">{person.createdByName ?? '–'}</bdi>
              ),
            ],
            ...(person.parentId
              ? [
                  [
                    label('parentName'),
                    <Link key="parent" to={personPath(person.parentId)}>
                      <bdi>{person.parentName}</bdi>
                    </Link>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <div className={classes.columns} style={{ marginBlockStart: 16 }}>
        <Section title={t('sections.way')}>
          {may('MANAGE', 'USER') ? <WayIn person={person} /> : <PasswordFact person={person} />}
        </Section>
        <Belongings id={person.id} />
      </div>
    </>
  )
}

/** The roles of a person. */
export function RoleBadges({ person }: { person: Pick<Person, 'roles' | 'roleNames'> }) {
  if (person.roles.length === 0) return <Dash />
  return (
    <span className={classes.badges}>
      {person.roles.map((key) => (
        <bdi key={key} className={classes.role}>
          {roleName(key, person.roleNames[key])}
        </bdi>
      ))}
    </span>
  )
}

function PasswordFact({ person }: { person: Person }) {
  const t = useT()
  return <Facts rows={[[label('password'), t(person.hasPassword ? 'passwordSet' : 'passwordNone')]]} />
}

function WayIn({ person }: { person: Person }) {
  const t = useT()
  const record = useRead(users.twoSteps, { id: person.id })
  return (
    <Load of={record} part skeleton={<LinesSkeleton lines={2} />}>
      {(second) => {
        const parts = [
          ...(second.totp ? [t('twoSteps.totp')] : []),
          ...(second.passkeys > 0 ? [t('twoSteps.passkeys', { count: second.passkeys })] : []),
        ]
        const isOn = parts.length > 0
        return (
          <Facts
            rows={[
              [label('password'), t(person.hasPassword ? 'passwordSet' : 'passwordNone')],
              [
                t('twoSteps.label'),
                <span key="second">
                  {isOn ? parts.join(' · ') : t('twoSteps.off')}
                  {isOn && (
                    <span className={classes.rowDetail}>
                      <br />
                      {t('twoSteps.codes', { count: second.recoveryCodesLeft })}
                    </span>
                  )}
                  {second.required && (
                    <span className={classes.rowDetail}>
                      <br />
                      {t('twoSteps.required')}
                    </span>
                  )}
                </span>,
              ],
            ]}
          />
        )
      }}
    </Load>
  )
}

function Belongings({ id }: { id: string }) {
  const t = useT()
  const kit = useKitText()
  const formats = useFormats()
  const record = useRead(users.owns, { id })
  return (
    <Section title={t('sections.owns')}>
      <Load of={record} part skeleton={<LinesSkeleton lines={3} />}>
        {({ owns, quota }) => {
          const limited = quota.filter(({ limit }) => limit !== null)
          return (
            <>
              {owns.length === 0 ? (
                <p className={classes.nothing}>{t('ownsNothing')}</p>
              ) : (
                <OwnedList owns={owns} />
              )}
              {limited.length > 0 && (
                <>
                  <h3 className={classes.subtitle}>{t('sections.limits')}</h3>
                  <Facts
                    rows={limited.map(({ kind, used, limit }) => [
                      kit(`kinds.${kind}`),
                      t('limits.of', { used: formats.number(used), limit: formats.number(limit ?? 0) }),
                    ])}
                  />
                </>
              )}
            </>
          )
        }}
      </Load>
    </Section>
  )
}
