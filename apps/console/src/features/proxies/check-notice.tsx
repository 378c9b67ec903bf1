import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { proxies } from '@weft/contract/proxies/api'
import { Ltr } from '../../kit/values/values.tsx'
import { useCan } from '../../lib/can.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './proxies.module.css'

/** Says so where checks cannot judge proxies elsewhere, as the check address is known on this machine only. */
export function CheckNotice() {
  const t = useT()
  const can = useCan()
  const { data } = useRead(proxies.checkSetup, {})
  if (!data?.local) return null
  return (
    <p className={classes.notice}>
      <IconInfoCircle size={16} aria-hidden />
      <span>
        {t('localAddress')} <Ltr>{data.url}</Ltr>
        {'. '}
        {can('MANAGE', 'SYSTEM') ? (
          <Link to="/cms/config/system">{t('setAddress')}</Link>
        ) : (
          t('askAdministrator')
        )}
      </span>
    </p>
  )
}
