import type { ReactNode } from 'react'
import { changeLanguage } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/languages.ts'
import { useAppText, useLanguage } from '../../lib/i18n/texts.ts'
import { Logo } from '../brand/mark.tsx'
import { Weave } from './weave.tsx'
import classes from './auth.module.css'

/** The page of sign-in and set-up: logo, a form, the choice of language. */
export function AuthCard(props: { title: string; lead: string; children?: ReactNode }) {
  const t = useAppText()
  const current = useLanguage()
  return (
    <div className={classes.page}>
      <Weave />
      <main className={classes.card}>
        <Logo size={30} />
        <h1 className={classes.title}>{props.title}</h1>
        <p className={classes.lead}>{props.lead}</p>
        {props.children}
      </main>
      <nav className={classes.languages} aria-label={t('signIn.language')}>
        {LANGUAGES.map((language) => (
          <button
            key={language.code}
            type="button"
            lang={language.code}
            aria-current={language.code === current.code || undefined}
            onClick={() => void changeLanguage(language)}
          >
            {language.name}
          </button>
        ))}
      </nav>
    </div>
  )
}
