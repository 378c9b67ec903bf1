import { Alert, Anchor, Button, Drawer, Group } from '@mantine/core'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  type FormEvent,
  type ReactNode,
} from 'react'
import { isFailure } from '../../lib/failure.ts'
import { errorText, fieldErrorText, fieldLabel, aNounOf, nounOf } from '../../lib/i18n/names.ts'
import { text, useKitText } from '../../lib/i18n/texts.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { usePageName } from '../page/page-name.ts'
import { Page } from '../page/page.tsx'
import { Failure, LinesSkeleton, NoRights } from '../states/states.tsx'
import { failureParams } from '../toast/toast.ts'
import { FormContext, fieldId } from './context.ts'
import { StaleDialog } from './stale-dialog.tsx'
import type { FormStore } from './store.ts'
import { useIsDirty, type FormHandle } from './use-resource-form.ts'
import { useUnsaved } from './use-unsaved.ts'
import classes from './form.module.css'

interface ShellProps {
  form: FormHandle
  title?: string
  submitLabel?: string
  children: ReactNode
}

const DRAWER_CLASSES = {
  content: classes.drawer ?? '',
  header: classes.drawerHeader ?? '',
  title: classes.drawerTitle ?? '',
  body: classes.drawerBody ?? '',
}

/** A form in a drawer at the end side; for short ones. Closing asks first when something was typed. */
export function FormDrawer({ size = 480, ...props }: ShellProps & { size?: number }) {
  const { form } = props
  const title = useTitle(form, props.title)
  usePageName(title, 'drawer')
  const formId = useId()
  return (
    <Drawer.Root
      opened
      onClose={form.close}
      position="right"
      size={size}
      closeOnClickOutside={false}
      classNames={DRAWER_CLASSES}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton data-form-close aria-label={text('kit:common.close')} />
        </Drawer.Header>
        <Drawer.Body>
          <FormFrame {...props} formId={formId} />
        </Drawer.Body>
        <FormButtons
          form={form}
          formId={formId}
          submitLabel={props.submitLabel}
          className={classes.drawerFooter}
        />
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** A form as a page of its own; for long ones. */
export function FormPage({ back = '..', ...props }: ShellProps & { back?: string }) {
  const { form } = props
  const title = useTitle(form, props.title)
  const formId = useId()
  return (
    <Page title={title} back={back}>
      <div className={classes.page}>
        <FormFrame {...props} formId={formId} />
        <FormButtons
          form={form}
          formId={formId}
          submitLabel={props.submitLabel}
          className={classes.pageFooter}
        />
      </div>
    </Page>
  )
}

/** A form inside something else, such as a section or a dialog. */
export function FormBody({ cancel = true, ...props }: ShellProps & { cancel?: boolean }) {
  const formId = useId()
  return (
    <>
      <FormFrame {...props} formId={formId} />
      <FormButtons
        form={props.form}
        formId={formId}
        submitLabel={props.submitLabel}
        className={classes.bodyFooter}
        cancel={cancel}
      />
    </>
  )
}

function useTitle(form: FormHandle, given: string | undefined): string {
  const t = useKitText()
  if (given) return given
  if (form.isNew) return t('form.createTitle', { noun: aNounOf(form.feature) })
  const name = form.record?.['name'] ?? form.record?.['title'] ?? form.record?.['username']
  const shown = typeof name === 'string' ? name : nounOf(form.feature)
  return form.refused ? shown : t('form.editTitle', { name: shown })
}

function FormFrame({ form, formId, children }: ShellProps & { formId: string }) {
  const { store } = form
  const submit = useLatest(form.submit)
  const box = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    // Where a focus trap begins: at the first field, not at the button that closes.
    const first = store ? box.current?.querySelector<HTMLElement>('input, textarea') : null
    first?.setAttribute('data-autofocus', '')
    // A record that came after the drawer had opened: the focus waits at the drawer's head.
    const waiting = document.activeElement
    if (waiting?.closest('[role=dialog]')?.contains(first ?? null) && waiting.matches('[data-form-close]'))
      first?.focus()
  }, [store])
  useEffect(() => {
    const saveFromAnyField = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      const inside = event.target instanceof Element && event.target.closest('form')?.id === formId
      if (inside) void submit.current()
    }
    addEventListener('keydown', saveFromAnyField)
    return () => removeEventListener('keydown', saveFromAnyField)
  }, [formId, submit])
  const { refused } = form
  if (refused?.kind === 'create') return <NoRights action={refused.action} subject={refused.subject} />
  if (!store)
    return form.loadError ? (
      <Failure error={form.loadError} retry={form.reload} />
    ) : (
      <LinesSkeleton lines={8} />
    )
  return (
    <FormContext
      value={{
        store,
        infoSchema: form.infoSchema,
        record: form.record,
        disabled: form.submitting || refused !== null,
      }}
    >
      {!refused && <LeaveGuard store={store} submitting={form.submitting} />}
      <form
        ref={box}
        id={formId}
        className={classes.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        {refused && <LookOnly code={refused.code} />}
        {form.draftRestored && <DraftNotice form={form} />}
        <Summary form={form} store={store} />
        {children}
      </form>
      {form.stale && <StaleDialog form={form} store={store} current={form.stale.current} />}
    </FormContext>
  )
}

/** Says that the record is only shown, and why where it is not for want of a right. */
function LookOnly({ code }: { code: string }) {
  const t = useKitText()
  return (
    <Alert color="gray" variant="light" p={12}>
      {code === 'access.denied' ? t('form.readOnly') : `${t('form.readOnly')} ${errorText(code)}`}
    </Alert>
  )
}

function DraftNotice({ form }: { form: FormHandle }) {
  const t = useKitText()
  return (
    <Alert color="blue" variant="light" p={12}>
      <Group justify="space-between" gap={8}>
        <span>{t('form.draftRestored')}</span>
        <Anchor component="button" type="button" fz="sm" onClick={form.discardDraft}>
          {t('form.discardDraft')}
        </Anchor>
      </Group>
    </Alert>
  )
}

/** All that is wrong, on top; each line leads to its field. It takes the focus after a failed try. */
function Summary({ form, store }: { form: FormHandle; store: FormStore }) {
  const t = useKitText()
  const { errors, tried } = useSyncExternalStore(store.subscribe, store.get)
  const box = useRef<HTMLDivElement>(null)
  const shown = tried && errors.length > 0
  useEffect(() => {
    if (shown || form.failure) box.current?.focus()
  }, [shown, form.failure])
  if (form.failure) return <FailureSummary box={box} failure={form.failure} />
  if (!shown) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" className={classes.summary}>
      <strong>{t('form.summary', { count: errors.length })}</strong>
      <ul>
        {errors.map((error) => (
          <li key={error.path}>
            <a
              href={`#${fieldId(store.feature, error.path)}`}
              onClick={(event) => {
                event.preventDefault()
                jumpTo(fieldId(store.feature, error.path))
              }}
            >
              {fieldLabel(store.feature, error.path)}
            </a>
            {': '}
            {fieldErrorText(error.code, error.params, error.message)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function FailureSummary({ box, failure }: { box: React.RefObject<HTMLDivElement | null>; failure: unknown }) {
  const t = useKitText()
  const known = isFailure(failure) ? failure : undefined
  return (
    <div ref={box} tabIndex={-1} role="alert" className={classes.summary}>
      <strong>{t('form.failed')}</strong>
      <div>
        {known
          ? errorText(
              known.body.code,
              failureParams(known.body.params, known.retryAfterSeconds),
              known.body.message,
            )
          : errorText('system.failed')}
      </div>
      {known?.body.requestId && (
        <div className={classes.requestId}>{t('common.requestId', { id: known.body.requestId })}</div>
      )}
    </div>
  )
}

/** Brings a field into view and gives it the focus. */
function jumpTo(id: string): void {
  const control = document.getElementById(id)
  control?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}

function FormButtons(props: {
  form: FormHandle
  formId: string
  submitLabel: string | undefined
  className: string | undefined
  cancel?: boolean
}) {
  const t = useKitText()
  const { form } = props
  return (
    <div className={props.className}>
      {props.cancel !== false && (
        <Button variant="default" onClick={form.close}>
          {t(form.refused ? 'common.close' : 'common.cancel')}
        </Button>
      )}
      {!form.refused && (
        <Button type="submit" form={props.formId} loading={form.submitting} disabled={!form.store}>
          {props.submitLabel ?? (form.isNew ? t('common.create') : t('common.save'))}
        </Button>
      )}
    </div>
  )
}

/** Asks before leaving while something is typed and not saved. */
function LeaveGuard({ store, submitting }: { store: FormStore; submitting: boolean }) {
  useUnsaved(useIsDirty(store) && !submitting, { isStill: () => store.isDirty() })
  return null
}

/** Fields side by side where there is room. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}

/** A titled group of fields. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  )
}
