import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { routes } from '@weft/contract/routes/api'
import type { MenuState, MenuVersion } from '@weft/contract/routes/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { useRead } from '../../../lib/query.ts'
import { summaryOf } from '../model/diff.ts'
import { useT } from '../text.ts'
import classes from './editor.module.css'

const PARTS = ['added', 'removed', 'moved', 'renamed', 'hidden', 'shown'] as const

/** Every save with what it changed; each can be brought back. */
export function Versions({ state, readOnly }: { state: MenuState; readOnly: boolean }) {
  const t = useT()
  const record = useRead(routes.versions, {})
  const restore = useChange(routes.restore, { done: t('versions.restored') })
  const bringBack = async (to: number) => {
    const name = to === 0 ? t('versions.shipped') : t('versions.version', { version: to })
    const yes = await confirm({
      name,
      text: t('versions.text'),
      confirmLabel: t('versions.restore'),
      danger: false,
    })
    if (yes) restore.mutate({ version: state.version, to })
  }
  const words = (after: MenuVersion, before: MenuVersion | undefined) => {
    const summary = summaryOf(before?.tree ?? state.shippedTree, after.tree)
    const parts = PARTS.filter((part) => summary[part] > 0).map((part) =>
      t(`versions.${part}`, { count: summary[part] }),
    )
    return parts.length > 0 ? parts.join(' · ') : t('versions.same')
  }
  return (
    <Section
      flush
      title={t('versions.title')}
      aside={
        !readOnly && (
          <Button
            size="xs"
            variant="default"
            disabled={state.isShipped}
            loading={restore.isPending}
            onClick={() => void bringBack(0)}
          >
            {t('versions.toShipped')}
          </Button>
        )
      }
    >
      <Load of={record} part skeleton={<LinesSkeleton lines={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.nothing}>{t('versions.none')}</p>
          ) : (
            <ol className={classes.versions}>
              {data.map((version, at) => (
                <li key={version.version}>
                  <span className={classes.versionWords}>
                    <strong>{t('versions.version', { version: version.version })}</strong>
                    <span>
                      {version.restored === null
                        ? words(version, data[at + 1])
                        : version.restored === 0
                          ? t('versions.backToShipped')
                          : t('versions.backTo', { version: version.restored })}
                    </span>
                    {version.note && <bdi>{version.note}</bdi>}
                    <span className={classes.versionWho}>
                      {version.by && <bdi>{version.by.name}</bdi>} <Time at={version.at} />
                    </span>
                  </span>
                  {at > 0 && !readOnly && (
                    <Button
                      size="xs"
                      variant="default"
                      leftSection={<IconRestore size={14} aria-hidden />}
                      aria-label={t('versions.restoreOne', { version: version.version })}
                      onClick={() => void bringBack(version.version)}
                    >
                      {t('versions.restore')}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Load>
    </Section>
  )
}
