import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useAppText } from '../../lib/i18n/texts.ts'
import { TOAST_MS, dismissToast, toasts, type ToastEntry, type ToastType } from './toast.ts'
import classes from './toaster.module.css'

const LOOKS: Record<ToastType, { icon: typeof IconBell; tone: string }> = {
  info: { icon: IconInfoCircle, tone: 'var(--tone-blue-text)' },
  success: { icon: IconCircleCheck, tone: 'var(--tone-green-text)' },
  warning: { icon: IconAlertTriangle, tone: 'var(--tone-amber-text)' },
  error: { icon: IconCircleX, tone: 'var(--tone-red-text)' },
  default: { icon: IconBell, tone: 'var(--text-dim)' },
}

/** Shows the toasts; part of the page's frame and of the sign-in page. */
export function Toaster() {
  const entries = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <div className={classes.host}>
      {entries.map((entry) => (
        <Toast key={entry.id} entry={entry} />
      ))}
    </div>
  )
}

/** Goes after five seconds, but not from under the pointer or the keyboard's focus. */
function Toast({ entry }: { entry: ToastEntry }) {
  const t = useAppText()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => dismissToast(entry.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [entry.id, held])
  const { icon: Icon, tone } = LOOKS[entry.type]
  return (
    <div
      className={classes.toast}
      data-type={entry.type}
      role={entry.type === 'error' || entry.type === 'warning' ? 'alert' : 'status'}
      style={{ '--toast-tone': tone }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={classes.icon}>
        <Icon size={18} stroke={1.8} aria-hidden />
      </span>
      <div>
        <div className={classes.message}>
          {entry.message}
          {entry.times > 1 && <span className="numbers"> ×{entry.times}</span>}
        </div>
        {entry.detail && (
          <div className={classes.detail}>
            <span className="ltr">{entry.detail}</span>
          </div>
        )}
        {entry.action && (
          <button
            type="button"
            className={classes.action}
            onClick={() => {
              entry.action?.run()
              dismissToast(entry.id)
            }}
          >
            {entry.action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label={t('toast.close')}
        onClick={() => dismissToast(entry.id)}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}
