import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { text } from '../../../lib/i18n/texts.ts'

/** A small form in a dialog: what is in it, and what its button does. */
export function Dialog(props: {
  title: string
  busy: boolean
  submit: () => void
  close: () => void
  submitLabel?: string
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Modal
      opened
      onClose={props.close}
      title={props.title}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          props.submit()
        }}
      >
        <Stack gap={14}>
          {props.children}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.close}>
              {text('kit:common.cancel')}
            </Button>
            <Button type="submit" loading={props.busy} disabled={props.disabled === true}>
              {props.submitLabel ?? text('kit:common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
