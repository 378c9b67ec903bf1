import { ATTACHABLE, type Attachable, type Campaign } from '@weft/contract/campaigns/schema'
import { PageTabs } from '../../../kit/page/tabs.tsx'
import { Section } from '../../../kit/page/page.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import { Candidates } from './candidates.tsx'
import classes from './editor.module.css'

/** The order in which a campaign's sets are chosen: who works first, then what with. */
const ORDER: readonly Attachable[] = ['clients', 'accounts', 'profiles', 'proxies', 'phones', 'videos']

/** What the campaign works with: six sets, each a list of what it has or could have. */
export function ResourcesSection({ campaign, disabled }: { campaign: Campaign; disabled: boolean }) {
  const t = useT()
  const formats = useFormats()
  const kinds = ORDER.filter((kind) => ATTACHABLE.includes(kind))
  return (
    <Section
      title={t('editor.resources')}
      aside={<span className={classes.dim}>{t('resources.saved')}</span>}
    >
      <div
        // The lists stand within the form; Enter in their search must not save it.
        onKeyDown={(event) => {
          const { target } = event
          if (event.key === 'Enter' && target instanceof HTMLInputElement) event.preventDefault()
        }}
        role="presentation"
        id="editor-resources"
      >
        <PageTabs
          name="kind"
          tabs={kinds.map((kind) => ({
            id: kind,
            label: (
              <span className={classes.tab}>
                {t(`resources.kinds.${kind}`)}
                <span
                  className={classes.tabCount}
                  data-some={(campaign.attached[kind] ?? 0) > 0 || undefined}
                >
                  {formats.number(campaign.attached[kind] ?? 0)}
                </span>
              </span>
            ),
            content: <Candidates key={kind} campaign={campaign} kind={kind} disabled={disabled} />,
          }))}
        />
      </div>
    </Section>
  )
}
