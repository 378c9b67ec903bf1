import { defineActivity, sideEffectField } from './activity.ts'
import {
  advanced,
  boolean,
  code,
  expression,
  list,
  number,
  optional,
  options,
  pairs,
  select,
  shownWhen,
  targets,
  template,
  text,
  textPairs,
  value,
  variable,
  withDefault,
} from './field.ts'

/** Reads from the page: a text, an attribute, a list of records or a table. */
export const extract = defineActivity({
  type: 'extract',
  category: 'data',
  icon: 'IconScan',
  fields: {
    what: withDefault(select(['text', 'attribute', 'list', 'table']), 'text'),
    targets: targets(),
    attribute: shownWhen('what', ['attribute'], template()),
    columns: shownWhen(
      'what',
      ['list'],
      optional(
        list(
          { name: text(), selector: optional(template({ help: true })), attribute: optional(template()) },
          { help: true, max: 50 },
        ),
      ),
    ),
    header: shownWhen('what', ['table'], withDefault(boolean({ help: true }), true)),
    maxRows: shownWhen(
      'what',
      ['list', 'table'],
      withDefault(number({ ...options, min: 1, max: 10_000 }), 1000),
    ),
    onMissing: withDefault(select(['fail', 'empty'], options), 'fail'),
  },
  outputs: { value: 'any', count: 'number' },
  retry: { attempts: 2, delaySeconds: 1 },
  sideEffect: 'read',
  browser: true,
})

/** Goes on only when something holds; otherwise the step fails. */
export const assert = defineActivity({
  type: 'assert',
  category: 'data',
  icon: 'IconShieldCheck',
  fields: {
    subject: withDefault(select(['expression', 'element', 'text', 'url', 'title']), 'expression'),
    condition: shownWhen('subject', ['expression'], expression({ shared: 'condition' })),
    targets: shownWhen('subject', ['element', 'text'], targets()),
    elementState: shownWhen(
      'subject',
      ['element'],
      withDefault(select(['visible', 'hidden', 'enabled', 'disabled', 'checked', 'unchecked']), 'visible'),
    ),
    operator: shownWhen(
      'subject',
      ['text', 'url', 'title'],
      withDefault(select(['contains', 'equals', 'startsWith', 'endsWith', 'matches']), 'contains'),
    ),
    expected: shownWhen('subject', ['text', 'url', 'title'], template()),
    message: optional(template({ ...options, help: true })),
  },
  outputs: { actual: 'any' },
  sideEffect: 'read',
  browser: false,
})

/** Fetches a file through the page. */
export const download = defineActivity({
  type: 'download',
  category: 'data',
  icon: 'IconDownload',
  fields: {
    from: withDefault(select(['click', 'url']), 'click'),
    targets: shownWhen('from', ['click'], targets()),
    url: shownWhen('from', ['url'], template()),
    name: optional(template({ ...options, help: true })),
    maxMegabytes: withDefault(number({ ...advanced, min: 1, max: 2048 }), 100),
  },
  outputs: { file: 'file' },
  timeLimitSeconds: 300,
  sideEffect: 'read',
  browser: true,
})

const readingMethods: unknown[] = ['GET', 'HEAD', undefined]

/** Calls an address without the browser. */
export const httpRequest = defineActivity({
  type: 'http-request',
  category: 'data',
  icon: 'IconApi',
  fields: {
    method: withDefault(select(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']), 'GET'),
    url: template(),
    headers: optional(textPairs(options)),
    query: optional(textPairs(options)),
    bodyType: withDefault(select(['none', 'json', 'form', 'text']), 'none'),
    bodyJson: shownWhen('bodyType', ['json'], expression({ help: true })),
    bodyForm: shownWhen('bodyType', ['form'], textPairs()),
    bodyText: shownWhen('bodyType', ['text'], code()),
    expect: withDefault(select(['success', 'any'], { ...options, help: true }), 'success'),
    sideEffect: sideEffectField,
  },
  outputs: { status: 'number', headers: 'object', body: 'any' },
  sideEffect: (state) => (readingMethods.includes(state['method']) ? 'read' : 'write'),
  browser: false,
})

/** Gives a variable a new value. */
export const setVariable = defineActivity({
  type: 'set-variable',
  category: 'data',
  icon: 'IconVariable',
  fields: { name: variable(), value: value({ help: true }) },
  outputs: { value: 'any' },
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Works out a value with an expression. */
export const transform = defineActivity({
  type: 'transform',
  category: 'data',
  icon: 'IconTransform',
  fields: { expression: expression({ multiline: true, help: true }) },
  outputs: { value: 'any' },
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Ends the run (or the called workflow) with its results. */
export const finish = defineActivity({
  type: 'finish',
  category: 'flow',
  icon: 'IconFlag',
  fields: {
    result: withDefault(select(['success', 'failure']), 'success'),
    message: optional(template()),
    outputs: optional(pairs({ help: true })),
  },
  last: true,
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})
