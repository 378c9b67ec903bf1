import { IconLink, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { usesSchema } from '@weft/contract/core/record'
import { firstText, readable } from '../../lib/i18n/texts.ts'
import { readAny } from '../../lib/query.ts'
import { useListText } from './text.ts'
import classes from './where-used.module.css'

const readUses = (answer: unknown) => usesSchema.parse(answer)
const SHOWN = 8

/** What uses a record: what stands in the way of deleting it, and what will be without it. */
export default function WhereUsed(props: {
  endpoint: Endpoint
  id: string
  block: (blocked: boolean) => void
}) {
  const t = useListText()
  const { endpoint, id, block } = props
  const { data, isPending } = useQuery({
    ...readAny(endpoint, { id }),
    select: readUses,
    staleTime: 0,
  })
  const blocking = data?.filter(({ blocks }) => blocks) ?? []
  const others = data?.filter(({ blocks }) => !blocks) ?? []
  const blocked = blocking.length > 0
  useEffect(() => block(blocked), [block, blocked])
  if (isPending) return <p className={classes.none}>{t('used.looking')}</p>
  if (!data || data.length === 0) return null
  return (
    <div className={classes.uses}>
      {blocked && <Uses title={t('used.blocking')} of={blocking} blocks />}
      {others.length > 0 && <Uses title={t('used.detached')} of={others} />}
    </div>
  )
}

function Uses(props: { title: string; of: ReturnType<typeof readUses>; blocks?: boolean }) {
  const t = useListText()
  const Icon = props.blocks ? IconLock : IconLink
  const more = props.of.length - SHOWN
  return (
    <section data-blocks={props.blocks || undefined}>
      <h3>{props.title}</h3>
      <ul>
        {props.of.slice(0, SHOWN).map(({ feature, id, name }) => (
          <li key={`${feature}${id}`}>
            <Icon size={14} aria-hidden />
            <span>{firstText([`kit:kinds.${feature}`]) ?? readable(feature)}</span>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.none}>{t('used.more', { count: more })}</p>}
    </section>
  )
}
