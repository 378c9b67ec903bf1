import { ActionIcon } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useAppText } from '../../lib/i18n/texts.ts'
import classes from './to-top.module.css'

/** The button appears after so much scrolling. */
const SHOWN_AFTER = 200

/** Goes smoothly back to the top. */
export function ToTop() {
  const t = useAppText()
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const look = () => setShown(window.scrollY > SHOWN_AFTER)
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  if (!shown) return null
  return (
    <ActionIcon
      className={classes.button}
      variant="default"
      size={40}
      aria-label={t('nav.toTop')}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <IconArrowUp size={18} />
    </ActionIcon>
  )
}
