import { Alert, Anchor, Button, Table } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Exclusion, Plan } from '@weft/contract/campaigns/schema'
import { Section } from '../../../kit/page/page.tsx'
import { Failure, LinesSkeleton } from '../../../kit/states/states.tsx'
import { Dash, Num } from '../../../kit/values/values.tsx'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { campaignPath } from '../paths.ts'
import { ResourceLink } from '../resource-link.tsx'
import { codeText, useT } from '../text.ts'
import classes from './editor.module.css'
import { BOUND } from './pairing.ts'

/** The exact work that a start would begin, what is left out and why, and who else uses the same things. */
export function PlanSection({ plan }: { plan: UseQueryResult<Plan> }) {
  const t = useT()
  const kit = useKitText()
  return (
    <Section
      title={t('plan.preview')}
      aside={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconRefresh size={15} aria-hidden />}
          loading={plan.isFetching}
          onClick={() => void plan.refetch()}
        >
          {kit('list.refresh')}
        </Button>
      }
    >
      {plan.data ? (
        <div className={classes.stack}>
          <Conflicts plan={plan.data} />
          <Items plan={plan.data} />
          <Exclusions plan={plan.data} />
        </div>
      ) : plan.error ? (
        <Failure error={plan.error} retry={() => void plan.refetch()} />
      ) : (
        <LinesSkeleton />
      )}
    </Section>
  )
}

function Items({ plan }: { plan: Plan }) {
  const t = useT()
  if (plan.total === 0) return <p className={classes.dim}>{t('plan.empty')}</p>
  const kinds = BOUND.filter((kind) => plan.sample.some((item) => item[kind] !== null))
  return (
    <div>
      <Table.ScrollContainer minWidth={200 + kinds.length * 140} maxHeight={560}>
        <Table stickyHeader className={classes.plan}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('fields.seq')}</Table.Th>
              {kinds.map((kind) => (
                <Table.Th key={kind}>{optionLabel('campaigns', 'per', kind)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.sample.map((item) => (
              <Table.Tr key={item.seq}>
                <Table.Td>
                  <Num value={item.seq} />
                </Table.Td>
                {kinds.map((kind) => (
                  <Table.Td key={kind}>{item[kind] ? <bdi>{item[kind].name}</bdi> : <Dash />}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {plan.total > plan.sample.length && (
        <p className={classes.dim}>{t('plan.sample', { shown: plan.sample.length, total: plan.total })}</p>
      )}
    </div>
  )
}

function Exclusions({ plan }: { plan: Plan }) {
  const t = useT()
  if (plan.exclusionTotal === 0) return null
  return (
    <div>
      <h3 className={classes.subtitle}>{t('plan.excluded', { count: plan.exclusionTotal })}</h3>
      <Table.ScrollContainer minWidth={480} maxHeight={320}>
        <Table stickyHeader className={classes.plan}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('plan.resource')}</Table.Th>
              <Table.Th>{t('plan.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plan.exclusions.map((exclusion) => (
              <Table.Tr key={`${exclusion.kind}${exclusion.id}${exclusion.code}`}>
                <Table.Td>
                  <ResourceLink kind={exclusion.kind} id={exclusion.id}>
                    <bdi>{exclusion.name}</bdi>
                  </ResourceLink>
                </Table.Td>
                <Table.Td>
                  <ExclusionReason exclusion={exclusion} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {plan.exclusionTotal > plan.exclusions.length && (
        <p className={classes.dim}>
          {t('plan.sample', { shown: plan.exclusions.length, total: plan.exclusionTotal })}
        </p>
      )}
    </div>
  )
}

function ExclusionReason({ exclusion }: { exclusion: Exclusion }) {
  const { code, params } = exclusion
  const { status, kind } = params
  const words = {
    ...params,
    ...(typeof status === 'string' ? { status: optionLabel('campaigns', 'status', status) } : {}),
    ...(typeof kind === 'string' ? { kind: optionLabel('campaigns', 'per', kind) } : {}),
  }
  return codeText(code, words) ?? code
}

function Conflicts({ plan }: { plan: Plan }) {
  const t = useT()
  if (plan.conflicts.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title={t('plan.conflicts')}>
      {plan.conflicts.map((conflict) => (
        <div key={conflict.id}>
          <Anchor component={Link} to={campaignPath(conflict.id)} fz="sm">
            <bdi>{conflict.title}</bdi>
          </Anchor>{' '}
          {t('plan.shared', { count: conflict.shared })}
        </div>
      ))}
      <p className={classes.dim}>{t('plan.conflictsText')}</p>
    </Alert>
  )
}
