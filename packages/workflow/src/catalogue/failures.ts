import type { ErrorClass } from '../errors.ts'
import type { ActivityDefinition } from './activity.ts'
import type { ActivityType } from './catalogue.ts'
import type { FieldDescriptor } from './field.ts'

/** Failures that come with what a type does, besides those that follow from its form. */
const OWN: Readonly<Partial<Record<ActivityType, readonly ErrorClass[]>>> = {
  'open-page': ['NavigationFailed', 'DomainNotAllowed'],
  click: ['NavigationFailed', 'DomainNotAllowed'],
  'upload-file': ['UploadFailed', 'ResourceMissing'],
  'wait-for': ['Timeout'],
  'open-tab': ['NavigationFailed', 'DomainNotAllowed'],
  'switch-tab': ['ElementNotFound'],
  assert: ['AssertionFailed'],
  download: ['DownloadFailed', 'TooLarge', 'DomainNotAllowed'],
  extract: ['TooLarge'],
  'http-request': ['HttpError', 'TooLarge', 'DomainNotAllowed'],
  'sign-in': ['AccountMissing', 'AccountRejected', 'PersonNeeded', 'NavigationFailed', 'DomainNotAllowed'],
  'for-each': ['LoopLimit'],
  'repeat-until': ['LoopLimit'],
  'call-workflow': ['WorkflowMissing', 'CallDepth'],
  'custom-activity': ['WorkflowMissing', 'CallDepth'],
  finish: ['DeclaredFailure'],
}

/** Whether a form has a field of this kind, also in the rows of its lists. */
function has(fields: readonly FieldDescriptor[], test: (field: FieldDescriptor) => boolean): boolean {
  return fields.some((field) => test(field) || has(field.items ?? [], test))
}

/** The classes of failure that somebody who uses an activity may meet, the likeliest first. */
export function failuresOf({ type, fields, requires }: ActivityDefinition): ErrorClass[] {
  const classes = new Set<ErrorClass>()
  if (has(fields, ({ kind }) => kind === 'targets')) {
    classes.add('ElementNotFound')
    if (type !== 'wait-for' && type !== 'extract') classes.add('ElementNotUsable')
  }
  const own: readonly ErrorClass[] | undefined = Object.hasOwn(OWN, type) ? OWN[type as ActivityType] : []
  own?.forEach((one) => classes.add(one))
  if (requires.browser) {
    classes.add('Timeout')
    classes.add('BrowserCrashed')
  }
  if (['http-request', 'call-workflow', 'custom-activity'].includes(type)) classes.add('Timeout')
  if (fields.length > 0) classes.add('InputInvalid')
  const evaluated = ['template', 'expression', 'code', 'keyvalue', 'targets']
  if (has(fields, ({ kind, dynamic }) => evaluated.includes(kind) || dynamic === true))
    classes.add('ExpressionError')
  return [...classes]
}
