import { Link } from 'react-router'
import { videos } from '@weft/contract/videos/api'
import { Section } from '../../kit/page/page.tsx'
import { Empty, Load } from '../../kit/states/states.tsx'
import { firstText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './videos.module.css'

const PAGES: Readonly<Record<string, string>> = {
  campaigns: '/cms/campaign/info',
  runs: '/cms/run/info',
}

/** What uses a video, and what keeps it from being deleted. */
export function VideoUses({ id }: { id: string }) {
  const t = useT()
  const uses = useRead(videos.whereUsed, { id })
  return (
    <Load of={uses} part>
      {(found) =>
        found.length === 0 ? (
          <Empty title={t('uses.none')} text={t('uses.noneText')} />
        ) : (
          <Section title={t('uses.title')}>
            <ul className={classes.same}>
              {found.map((use) => (
                <li key={`${use.feature} ${use.id}`}>
                  {firstText([`kit:kinds.${use.feature}`])}{' '}
                  {PAGES[use.feature] ? (
                    <Link to={`${PAGES[use.feature]}/${use.id}`}>
                      <bdi>{use.name}</bdi>
                    </Link>
                  ) : (
                    <bdi>{use.name}</bdi>
                  )}
                  {use.blocks && ` · ${t('uses.blocks')}`}
                </li>
              ))}
            </ul>
          </Section>
        )
      }
    </Load>
  )
}
