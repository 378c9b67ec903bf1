import { useMemo } from 'react'
import type { Activity } from '@weft/workflow/document'
import { valueAt } from '@weft/workflow/interpret/plain-paths'
import type { ScopeValue } from '../../../../kit/schema-form/types.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { membersAt, typeOfValue, valueLine, type KnownValues } from '../../model/preview/known-values.ts'
import type { ReferenceEntry } from '../../model/references.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'

const SAMPLE_CHARS = 80

/** What an expression may use, under headings in the language shown now, each with what it was when last seen. */
export function useScopeOf(references: readonly ReferenceEntry[], known: KnownValues): ScopeValue[] {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document } = useEditor()
  return useMemo(
    () =>
      references.flatMap(({ expression, hint, group, type, maybe }) => {
        const value = valueAt(known, expression)
        const own = {
          expression,
          hint: [
            hint,
            outputWords(document.activities, expression, catalogue),
            wordsOf(expression, t),
            maybe ? t('insert.maybe') : '',
          ]
            .filter(Boolean)
            .join(' · '),
          group: t(`insert.groups.${group}`),
          type: t(`types.${type}`),
          ...(value === undefined || value === null ? {} : { sample: valueLine(value, SAMPLE_CHARS) }),
        }
        // What the last test run left may be a record whose members can be named.
        const members = membersAt(known, expression).map((member) => ({
          expression: member.path,
          hint: '',
          group: own.group,
          type: t(`types.${typeOfValue(member.value)}`),
          sample: valueLine(member.value, SAMPLE_CHARS),
        }))
        return [own, ...members]
      }),
    [references, document.activities, known, t, catalogue],
  )
}

/** What the fixed names are called. */
function wordsOf(expression: string, t: ReturnType<typeof useT>): string {
  const word = NAMED.find((name) => name === expression.replaceAll('.', '_'))
  return word ? t(`insert.names.${word}`) : ''
}

const NAMED = [
  'item_account_username',
  'item_account_displayName',
  'item_account_email',
  'item_account_channelName',
  'item_profile_name',
  'item_phone_phoneNumber',
  'item_video_title',
  'item_video_description',
  'item_video_file',
  'item_proxy_host',
  'item_client_name',
  'item_campaign_title',
  'item_seq',
  'run_id',
  'run_attempt',
  'run_now',
  'loop_value',
  'loop_index',
  'loop_count',
  'error_class',
  'error_message',
] as const

/** What the catalogue calls the output that `steps.<id>.<name>` means. */
function outputWords(
  activities: readonly Activity[],
  expression: string,
  catalogue: (key: string) => string,
): string {
  const [root, id, output] = expression.split('.')
  const type = root === 'steps' ? activities.find((activity) => activity.id === id)?.type : undefined
  return type && output ? catalogue(`activities.${type}.outputs.${output}`) : ''
}
