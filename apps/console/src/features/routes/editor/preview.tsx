import { Select } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { routes } from '@weft/contract/routes/api'
import type { MenuTree } from '@weft/contract/routes/schema'
import { users } from '@weft/contract/users/api'
import { Section } from '../../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { isFailure } from '../../../lib/failure.ts'
import { firstText } from '../../../lib/i18n/texts.ts'
import { buildMenu, type MenuItem } from '../../../lib/navigation/menu.ts'
import { useRead } from '../../../lib/query.ts'
import { tidy } from '../model/tree.ts'
import { useT } from '../text.ts'
import type { Look } from './context.ts'
import classes from './editor.module.css'

/** What somebody of a role would see, of the menu as it stands in the editor. */
export function Preview({ tree, look }: { tree: MenuTree; look: Look }) {
  const t = useT()
  const roles = useRead(users.roles, {}).data?.data ?? []
  const [role, setRole] = useState('viewer')
  const shown = useDeferredValue(tree)
  const record = useRead(routes.preview, { role, tree: tidy(shown) }, { keep: true })
  const data = roles.map(({ key, name }) => ({
    value: key,
    label: firstText([`users:options.role.${key}`]) ?? name,
  }))
  return (
    <Section
      title={t('preview.title')}
      aside={
        <Select
          size="xs"
          w={160}
          aria-label={t('preview.role')}
          data={data}
          value={role}
          allowDeselect={false}
          onChange={(chosen) => setRole(chosen ?? role)}
        />
      }
    >
      {isFailure(record.error) && record.error.httpStatus === 422 ? (
        <p className={classes.hint}>{t('preview.broken')}</p>
      ) : (
        <Load of={record} part skeleton={<LinesSkeleton lines={6} />}>
          {({ routes: nodes }) => {
            // The server has left out already what the role may not see.
            const menu = buildMenu(nodes, () => true)
            return menu.length === 0 ? (
              <p className={classes.hint}>{t('preview.nothing')}</p>
            ) : (
              <nav aria-label={t('preview.title')}>
                <Menu items={menu} look={look} />
              </nav>
            )
          }}
        </Load>
      )}
    </Section>
  )
}

function Menu({ items, look }: { items: readonly MenuItem[]; look: Look }) {
  return (
    <ul className={classes.preview}>
      {items.map((item) => (
        <li key={item.name}>
          <span className={classes.previewItem}>
            {item.icon && <look.Icon name={item.icon} />}
            <bdi>{look.titleText(item.title)}</bdi>
          </span>
          {item.children.length > 0 && <Menu items={item.children} look={look} />}
        </li>
      ))}
    </ul>
  )
}
