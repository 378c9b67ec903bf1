import { Badge, Button, Select, Text, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { projects } from '@weft/contract/projects/api'
import { MEMBER_ROLES, type MemberRole, type ProjectMember } from '@weft/contract/projects/members'
import type { Project } from '@weft/contract/projects/schema'
import { useChange } from '../../kit/actions/use-change.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { Dash, Time } from '../../kit/values/values.tsx'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import { Dialog } from './values/dialog.tsx'
import { Rows } from './values/rows.tsx'
import classes from './projects.module.css'

/** Who is in a project, and as what. */
export function MembersTab({ project, locked }: { project: Project; locked: boolean }) {
  const t = useT()
  const { id } = project
  const members = useRead(projects.members, { id })
  const [open, setOpen] = useState<ProjectMember | 'new' | null>(null)
  const drop = useChange(projects.removeMember, { done: text('kit:toasts.updated') })
  const may = project.can.includes('update') && !locked
  const remove = async (member: ProjectMember) => {
    const yes = await confirm({ name: member.username, text: t('members.removeText'), danger: true })
    if (yes) drop.mutate({ id, username: member.username })
  }
  return (
    <Load of={members} part skeleton={<LinesSkeleton lines={4} />}>
      {(list) => (
        <Section
          title={t('members.title')}
          aside={
            may && (
              <Button
                variant="default"
                leftSection={<IconUserPlus size={16} aria-hidden />}
                onClick={() => setOpen('new')}
              >
                {t('members.add')}
              </Button>
            )
          }
        >
          <Text fz="sm" c="dimmed" mb={8}>
            {t('members.lead')}
          </Text>
          <Rows
            label={t('members.title')}
            heads={[t('members.person'), t('members.role'), t('members.since'), t('members.by')]}
            rows={list}
            keyOf={({ username }) => username}
            cells={(member) => [
              <Person key="person" member={member} />,
              t(`members.roles.${member.role}`),
              member.addedAt === null || member.isOwner ? (
                <Dash key="at" />
              ) : (
                <Time key="at" at={member.addedAt} />
              ),
              member.addedByName === null ? <Dash key="by" /> : <bdi key="by">{member.addedByName}</bdi>,
            ]}
            fixed={({ isOwner }) => isOwner}
            edit={may ? setOpen : undefined}
            remove={may ? (member) => void remove(member) : undefined}
          />
          {open !== null && (
            <MemberDialog projectId={id} member={open === 'new' ? null : open} close={() => setOpen(null)} />
          )}
        </Section>
      )}
    </Load>
  )
}

function Person({ member }: { member: ProjectMember }) {
  const t = useT()
  return (
    <span className={classes.person}>
      <bdi className={classes.strong}>{member.displayName}</bdi>
      {member.displayName !== member.username && (
        <Text span fz="sm" c="dimmed">
          <bdi>{member.username}</bdi>
        </Text>
      )}
      {member.isOwner && (
        <Badge variant="light" tt="none" color="gray">
          {t('members.owner')}
        </Badge>
      )}
      {!member.active && (
        <Badge variant="light" tt="none" color="red">
          {t('members.suspended')}
        </Badge>
      )}
    </span>
  )
}

function MemberDialog(props: { projectId: string; member: ProjectMember | null; close: () => void }) {
  const t = useT()
  const { member } = props
  const [username, setUsername] = useState(member?.username ?? '')
  const [role, setRole] = useState<MemberRole>(member?.role ?? 'viewer')
  const [tried, setTried] = useState(false)
  const change = useChange(projects.setMember, { done: text('kit:toasts.updated'), onDone: props.close })
  const missing = username.trim() === '' ? text('errors:fields.required') : null
  const submit = () => {
    setTried(true)
    if (missing !== null) return
    change.mutate({ id: props.projectId, role, username: username.trim() })
  }
  return (
    <Dialog
      title={member ? t('members.change') : t('members.add')}
      busy={change.isPending}
      submit={submit}
      close={props.close}
    >
      <TextInput
        label={t('members.username')}
        description={t('members.usernameHelp')}
        dir="ltr"
        required
        disabled={member !== null}
        autoComplete="off"
        value={username}
        error={tried ? missing : null}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <Select
        label={t('members.role')}
        description={t(`members.help.${role}`)}
        allowDeselect={false}
        data={MEMBER_ROLES.map((value) => ({ value, label: t(`members.roles.${value}`) }))}
        value={role}
        onChange={(value) => setRole(MEMBER_ROLES.find((one) => one === value) ?? 'viewer')}
      />
    </Dialog>
  )
}
