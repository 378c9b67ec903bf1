import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { projects } from '@weft/contract/projects/api'
import type { Project } from '@weft/contract/projects/schema'
import type { ProjectVariable } from '@weft/contract/projects/values'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Empty } from '../../../kit/states/states.tsx'
import { Code } from '../../../kit/values/values.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { Defaults } from './defaults.tsx'
import { Rows } from './rows.tsx'
import { VariableDialog } from './variable-dialog.tsx'
import classes from '../projects.module.css'

/** The variables of a project and what new workflows in it begin with. */
export function VariablesTab({ project, locked }: { project: Project; locked: boolean }) {
  const t = useT()
  const [open, setOpen] = useState<ProjectVariable | 'new' | null>(null)
  const change = useChange(projects.update, {
    done: text('kit:toasts.updated'),
    onDone: () => setOpen(null),
    invalidates: ['workflows'],
  })
  const { id, version, variables } = project
  const may = project.can.includes('update') && !locked
  const save = (next: ProjectVariable[]) => change.mutate({ id, version, variables: next })
  const remove = async (variable: ProjectVariable) => {
    const yes = await confirm({ name: variable.name, text: t('values.removeVariable'), danger: true })
    if (yes) save(variables.filter(({ name }) => name !== variable.name))
  }
  const add = may ? (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
      {t('values.addVariable')}
    </Button>
  ) : null
  return (
    <Stack gap={16}>
      <Section title={t('values.variables')} aside={variables.length > 0 ? add : null}>
        {variables.length === 0 ? (
          <Empty title={t('values.noVariables')} text={t('values.frozenWithRun')} action={add} />
        ) : (
          <>
            <Text fz="sm" c="dimmed" mb={8}>
              {t('values.frozenWithRun')}
            </Text>
            <Rows
              label={t('values.variables')}
              heads={[t('values.name'), t('values.type'), t('values.value'), t('values.description')]}
              rows={variables}
              keyOf={({ name }) => name}
              cells={(variable) => [
                <Code key="name">{`project.${variable.name}`}</Code>,
                t(`values.types.${variable.type}`),
                <span key="value" className={classes.value}>
                  <bdi>{shown(variable)}</bdi>
                </span>,
                <bdi key="description">{variable.description}</bdi>,
              ]}
              edit={may ? setOpen : undefined}
              remove={may ? (variable) => void remove(variable) : undefined}
            />
          </>
        )}
      </Section>
      <Defaults key={version} project={project} locked={!may} />
      {open !== null && (
        <VariableDialog
          variable={open === 'new' ? null : open}
          taken={variables.map(({ name }) => name)}
          busy={change.isPending}
          close={() => setOpen(null)}
          save={(variable) =>
            save(
              open === 'new'
                ? [...variables, variable]
                : variables.map((one) => (one.name === open.name ? variable : one)),
            )
          }
        />
      )}
    </Stack>
  )
}

function shown({ type, value }: ProjectVariable): string {
  return type === 'string' && typeof value === 'string' ? value : JSON.stringify(value)
}
