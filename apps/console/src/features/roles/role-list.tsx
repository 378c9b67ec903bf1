import { IconShieldLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Role } from '@weft/contract/roles/schema'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { roleName } from '../users/roles.ts'
import { rolePath } from './paths.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'

/** All roles, one of them open. */
export function RoleList({ roles, openId }: { roles: readonly Role[]; openId: string | null }) {
  const t = useT()
  return (
    <nav className={classes.list} aria-label={t('roles')}>
      {roles.map((role) => (
        <Link
          key={role.id}
          to={rolePath(role.id)}
          className={classes.item}
          aria-current={role.id === openId ? 'page' : undefined}
        >
          <span className={classes.itemName}>
            <bdi>{roleName(role.key, role.name)}</bdi>
            {role.requiresTwoSteps && (
              <span className={classes.lock} title={fieldLabel('roles', 'requiresTwoSteps')}>
                <IconShieldLock size={14} aria-hidden />
                <span className="unseen">{fieldLabel('roles', 'requiresTwoSteps')}</span>
              </span>
            )}
          </span>
          <span className={classes.itemDetail}>
            {t('people', { count: role.people })}
            {role.builtIn && ` · ${t('builtIn')}`}
          </span>
        </Link>
      ))}
    </nav>
  )
}
