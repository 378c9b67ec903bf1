import { users } from '@weft/contract/users/api'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { Ltr, Time } from '../../kit/values/values.tsx'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { firstText, readable } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { roleName } from './roles.ts'
import { useT } from './text.ts'
import classes from './users.module.css'

const SHOWN = 50
const QUIET = new Set(['version', 'updatedAt', 'can', 'cannot', 'roleNames', 'lastSeenAt', 'tags', 'notes'])

/** Who changed a person, and how, the newest first. */
export function PersonHistory({ id }: { id: string }) {
  const t = useT()
  const record = useRead(users.history, { id, perPage: SHOWN })
  return (
    <Section flush title={t('tabs.history')}>
      <Load of={record} part skeleton={<LinesSkeleton lines={5} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.nothing} style={{ padding: 16 }}>
              {t('history.none')}
            </p>
          ) : (
            <ul className={classes.rows}>
              {data.map((row) => (
                <li key={row.id}>
                  <span className={classes.rowMain}>
                    <strong>{firstText([`users:history.labels.${row.label}`]) ?? readable(row.label)}</strong>
                    <span className={classes.rowDetail}>{changesOf(row.before, row.after)}</span>
                  </span>
                  <span className={classes.rowDetail}>
                    {row.actorName && (
                      <>
                        <bdi>{t('history.by', { name: row.actorName })}</bdi>
                        {' · '}
                      </>
                    )}
                    {row.address && (
                      <>
                        <Ltr>{row.address}</Ltr>
                        {' · '}
                      </>
                    )}
                    <Time at={row.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </Section>
  )
}

/** What a change says of plain fields: before and after. */
function changesOf(before: unknown, after: unknown): string {
  if (before === null || typeof before !== 'object' || after === null || typeof after !== 'object') return ''
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => !QUIET.has(name) && JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(
      ([name, value]) => `${fieldLabel('users', name)}: ${said(name, old.get(name))} → ${said(name, value)}`,
    )
    .join(' · ')
}

function said(name: string, value: unknown): string {
  const isRoles = name === 'roles' && Array.isArray(value)
  return plain(isRoles ? value.map((key) => roleName(String(key), undefined)) : value)
}

function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plain).join(', ')
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, inner]) => `${name} ${plain(inner)}`)
        .join(', ') || '–'
    )
  return typeof value === 'string' ? value : JSON.stringify(value)
}
