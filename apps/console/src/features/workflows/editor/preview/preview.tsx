import { useMemo } from 'react'
import { IconArrowNarrowRight, IconEyeOff } from '@tabler/icons-react'
import { prepare, valueLine } from '../../model/preview/known-values.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import classes from './preview.module.css'
import { useEvaluation } from './use-evaluation.ts'
import { useKnownValues } from './use-known-values.ts'

/** What a text with expressions gives on the values of the last test run, beneath its field. */
export default function ExpressionPreview(props: { text: string; kind: 'template' | 'code' | 'expression' }) {
  const t = useT()
  const { text, kind } = props
  const { document } = useEditor()
  const { known } = useKnownValues()
  const secrets = useMemo(
    () => new Set(document.inputs.filter(({ secret }) => secret === true).map(({ name }) => name)),
    [document.inputs],
  )
  const prepared = useMemo(() => prepare(text, kind, known, secrets), [text, kind, known, secrets])
  const result = useEvaluation(prepared.kind === 'ready' ? prepared.request : null, known)
  if (prepared.kind === 'broken') return null
  if (prepared.kind === 'secret')
    return (
      <p className={classes.preview}>
        <IconEyeOff size={13} aria-hidden />
        {t('preview.secret')}
      </p>
    )
  if (prepared.kind === 'unknown')
    return <p className={classes.preview}>{t('preview.unknown', { name: prepared.name })}</p>
  if (!result) return null
  return (
    <p className={classes.preview} data-failed={!result.ok || undefined}>
      <IconArrowNarrowRight size={14} className="flip-rtl" aria-hidden />
      <span className="unseen">{t(result.ok ? 'preview.gives' : 'preview.fails')}</span>
      {result.ok && result.value === '' ? (
        <span>{t('preview.empty')}</span>
      ) : (
        <bdi className={classes.value} dir="auto">
          {result.ok ? valueLine(result.value) : result.message}
        </bdi>
      )}
    </p>
  )
}
