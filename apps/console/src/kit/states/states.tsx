import { Button } from '@mantine/core'
import { IconCloudOff, IconInbox, IconLock, IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { consequenceOf, isAway, isFailure } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { rightText } from '../rights/right-text.ts'
import { failureParams } from '../toast/toast.ts'
import { Bone } from './bone.tsx'
import classes from './states.module.css'

/** The frame of the four states: an icon, a title, a sentence, a way on. */
export function StateView(props: {
  icon: ReactNode
  title: string
  text?: ReactNode
  detail?: ReactNode
  action?: ReactNode
  tone?: 'red'
  role?: 'alert' | 'status'
}) {
  return (
    <div className={classes.state} role={props.role} data-tone={props.tone}>
      <div className={classes.icon} aria-hidden>
        {props.icon}
      </div>
      <h2 className={classes.title}>{props.title}</h2>
      {props.text && <p className={classes.text}>{props.text}</p>}
      {props.detail && <p className={classes.detail}>{props.detail}</p>}
      {props.action && <div className={classes.action}>{props.action}</div>}
    </div>
  )
}

/** Nothing there yet: says what this is for and offers the first step. */
export function Empty(props: { title?: string; text?: ReactNode; action?: ReactNode; icon?: ReactNode }) {
  const t = useKitText()
  return (
    <StateView
      icon={props.icon ?? <IconInbox size={24} stroke={1.6} />}
      title={props.title ?? t('list.nothingTitle')}
      text={props.text}
      action={props.action}
    />
  )
}

/** Says which right is missing and who can give it. */
export function NoRights({ action, subject }: { action?: string; subject?: string }) {
  const t = useKitText()
  return (
    <StateView
      icon={<IconLock size={24} stroke={1.6} />}
      title={t(
        action === 'CREATE'
          ? 'states.noRightsCreate'
          : action === 'UPDATE'
            ? 'states.noRightsUpdate'
            : 'states.noRightsTitle',
      )}
      text={t('states.noRightsText')}
      detail={action && subject ? t('request.right', { right: rightText({ action, subject }) }) : undefined}
    />
  )
}

/** A failed load, told apart: gone, no rights, no network, anything else; with the request's id. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useKitText()
  const again = retry && (
    <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={retry}>
      {t('common.retry')}
    </Button>
  )
  if (!isFailure(error))
    return (
      <StateView
        role="alert"
        tone="red"
        icon={<IconAlertTriangle size={24} stroke={1.6} />}
        title={t('states.errorTitle')}
        text={t('states.errorText')}
        action={again}
      />
    )
  if (error.httpStatus === 403) return <NoRights />
  if (error.httpStatus === 404)
    return (
      <StateView
        icon={<IconInbox size={24} stroke={1.6} />}
        title={t('states.goneTitle')}
        text={t('states.goneText')}
      />
    )
  if (isAway(error))
    return (
      <StateView
        role="alert"
        icon={<IconCloudOff size={24} stroke={1.6} />}
        title={t('states.offlineTitle')}
        text={t('states.offlineText')}
        action={again}
      />
    )
  const { code, params, message, requestId } = error.body
  return (
    <StateView
      role="alert"
      tone="red"
      icon={<IconAlertTriangle size={24} stroke={1.6} />}
      title={t('states.errorTitle')}
      text={errorText(code, failureParams(params, error.retryAfterSeconds), message)}
      detail={requestId ? t('common.requestId', { id: requestId }) : undefined}
      action={again}
    />
  )
}

/**
 * Shows a read: its skeleton, its failure, or what it brought. Old data stays while it is read anew. A page whose record
 * may not be seen leads to the 403 page; a `part` of a page says so in its place.
 */
export function Load<T>(props: {
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  part?: boolean
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}) {
  const { data, error, refetch } = props.of
  if (data !== undefined) return props.children(data)
  if (isFailure(error) && consequenceOf(error.httpStatus, props.part ? 'part' : 'page') === 'forbidden')
    return <Navigate to="/error/403" replace />
  if (error) return <Failure error={error} retry={() => void refetch()} />
  return props.skeleton ?? <PageSkeleton />
}

/** A page in the making: title, facts, a table. */
export function PageSkeleton() {
  const t = useKitText()
  return (
    <div className={classes.skeleton} aria-busy="true">
      <span className="unseen">{t('common.loading')}</span>
      <Bone height={28} width="min(320px, 60%)" />
      <Bone height={96} />
      <Bone height={280} />
    </div>
  )
}

/** Lines in the making. */
export function LinesSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes.skeleton} aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        <Bone key={index} height={20} width={`${95 - ((index * 17) % 45)}%`} />
      ))}
    </div>
  )
}
