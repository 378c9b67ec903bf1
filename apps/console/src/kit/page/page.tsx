import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { countText, type Count } from './count.ts'
import { usePageName } from './page-name.ts'
import classes from './page.module.css'

/** A page: title with count or status, at most two actions, and its content. */
export function Page(props: {
  title: string
  /** Under the title: one sentence. */
  lead?: ReactNode
  count?: Count | undefined
  status?: ReactNode
  actions?: ReactNode
  /** Where the arrow before the title leads. */
  back?: string
  children: ReactNode
}) {
  const t = useKitText()
  const formats = useFormats()
  usePageName(props.title)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {props.back && (
            <Link to={props.back} className={classes.back} aria-label={t('common.back')}>
              <IconArrowLeft size={18} className="flip-rtl" aria-hidden />
            </Link>
          )}
          <h1 className={classes.title}>
            <bdi>{props.title}</bdi>
          </h1>
          {props.count && <span className={classes.count}>{countText(props.count, t, formats.number)}</span>}
          {props.status}
        </div>
        {props.actions && <div className={classes.actions}>{props.actions}</div>}
      </header>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      <div className={classes.content}>{props.children}</div>
    </div>
  )
}

/** A titled part of a page, on a surface of its own. */
export function Section(props: {
  title?: ReactNode
  /** Beside the title, at the end. */
  aside?: ReactNode
  /** Without padding, for a table. */
  flush?: boolean
  children: ReactNode
}) {
  return (
    <section className={classes.section}>
      {(props.title || props.aside) && (
        <header className={classes.sectionHeader}>
          <h2 className={classes.sectionTitle}>{props.title}</h2>
          {props.aside}
        </header>
      )}
      <div className={props.flush ? undefined : classes.sectionBody}>{props.children}</div>
    </section>
  )
}

/** Names and values of a record, in columns where there is room. */
export function Facts({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([label, value]) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
