import { Alert, Button, FileInput, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import { projectFile, type ImportReport, type ProjectFile } from '@weft/contract/projects/transfer'
import { useChange } from '../../../kit/actions/use-change.ts'
import { useMayCall } from '../../../kit/actions/use-may-call.ts'
import { NoRights } from '../../../kit/states/states.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { readJsonFile } from '../../../lib/json-file.ts'
import { projectPath } from '../actions.ts'
import { useT } from '../text.ts'
import { Dialog } from '../values/dialog.tsx'
import { Lacks } from './lacks.tsx'
import classes from '../projects.module.css'

/** Makes a new project of a file and says what is missing then. */
export function ImportProject() {
  const t = useT()
  const navigate = useNavigate()
  const close = () => void navigate('/cms/project/list')
  const [file, setFile] = useState<File | null>(null)
  const [read, setRead] = useState<ProjectFile | null>(null)
  const [name, setName] = useState('')
  const [report, setReport] = useState<ImportReport | null>(null)
  const take = useChange(projectTransfer.import, { onDone: setReport, invalidates: ['workflows'] })
  const choose = async (next: File | null) => {
    setFile(next)
    const found = next ? await readJsonFile(next, projectFile) : null
    setRead(found)
    setName(found?.project.name ?? '')
  }
  const [tried, setTried] = useState(false)
  const may = useMayCall()
  const { access } = projectTransfer.import
  if (!may(projectTransfer.import))
    return (
      <Modal
        opened
        onClose={close}
        title={t('transfer.import')}
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      >
        {typeof access === 'object' && <NoRights action={access.action} subject={access.subject} />}
      </Modal>
    )
  if (report) return <Report report={report} close={close} />
  return (
    <Dialog
      title={t('transfer.import')}
      busy={take.isPending}
      close={close}
      submitLabel={t('transfer.importNow')}
      submit={() => {
        setTried(true)
        if (read && name.trim() !== '') take.mutate({ file: read, name: name.trim() })
      }}
    >
      <FileInput
        label={t('transfer.file')}
        description={t('transfer.fileHelp')}
        accept="application/json,.json"
        required
        clearable
        clearButtonProps={{ 'aria-label': t('transfer.clearFile') }}
        value={file}
        onChange={(next) => void choose(next)}
        error={tried && !read ? (file ? t('transfer.noProject') : text('errors:fields.required')) : null}
      />
      {read && (
        <>
          <TextInput
            label={t('values.name')}
            required
            maxLength={120}
            value={name}
            error={tried && name.trim() === '' ? text('errors:fields.required') : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Alert color="gray" variant="light">
            {t('transfer.holds', { count: read.workflows.length })}
            {read.project.secrets.length > 0 &&
              ` ${t('transfer.secretsInFile', { count: read.project.secrets.length })}`}
          </Alert>
        </>
      )}
    </Dialog>
  )
}

function Report({ report, close }: { report: ImportReport; close: () => void }) {
  const t = useT()
  const { projectId, name, workflows, missing, secrets, leftOut } = report
  const complete = missing.length + secrets.length + leftOut.length === 0
  return (
    <Modal
      opened
      onClose={close}
      title={t('transfer.done', { name })}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <Stack gap={14}>
        <span>{t('transfer.holds', { count: workflows })}</span>
        {complete && <span>{t('transfer.nothingMissing')}</span>}
        <Lacks list={missing} title={t('transfer.missing')} />
        {secrets.length > 0 && (
          <Alert color="yellow" variant="light" title={t('transfer.secretsWanted')}>
            <bdi>{secrets.join(', ')}</bdi>
          </Alert>
        )}
        {leftOut.length > 0 && (
          <Alert color="yellow" variant="light" title={t('transfer.leftOut')}>
            <ul className={classes.lacks}>
              {leftOut.map(({ workflowName, number }) => (
                <li key={`${workflowName} ${number}`}>
                  {t('transfer.leftOutOne', { workflow: workflowName, number })}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            {text('kit:common.close')}
          </Button>
          <Button component={Link} to={projectPath(projectId)}>
            {t('transfer.open')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
