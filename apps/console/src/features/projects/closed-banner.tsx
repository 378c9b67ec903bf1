import { Alert, Button, Group } from '@mantine/core'
import { IconArchive, IconSnowflake } from '@tabler/icons-react'
import { projects } from '@weft/contract/projects/api'
import type { Project } from '@weft/contract/projects/schema'
import { useChange } from '../../kit/actions/use-change.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useT } from './text.ts'

/** Says on the page of a frozen or archived project what that means, and lets who may open it again. */
export function ClosedBanner({ project }: { project: Project }) {
  const t = useT()
  const change = useChange(projects.update, {
    done: text('kit:toasts.updated'),
    invalidates: ['workflows', 'campaigns'],
  })
  const { id, version, status } = project
  if (status === 'active') return null
  const Icon = status === 'frozen' ? IconSnowflake : IconArchive
  return (
    <Alert
      color={status === 'frozen' ? 'blue' : 'gray'}
      variant="light"
      icon={<Icon size={18} aria-hidden />}
      title={t(`closed.${status}`)}
      mb={16}
    >
      <Group justify="space-between" gap={12}>
        <span>{t(`closed.${status}Text`)}</span>
        {project.can.includes('update') && (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ id, version, status: 'active' })}
          >
            {t('actions.activate')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
