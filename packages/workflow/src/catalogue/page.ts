import { defineActivity, sideEffectField } from './activity.ts'
import {
  advanced,
  anyText,
  boolean,
  number,
  optional,
  options,
  select,
  shownWhen,
  targets,
  template,
  value,
  withDefault,
} from './field.ts'

const reading = { attempts: 2, delaySeconds: 1 }

/** Goes to an address. */
export const openPage = defineActivity({
  type: 'open-page',
  category: 'page',
  icon: 'IconWorldWww',
  fields: {
    url: template({ help: true }),
    waitUntil: withDefault(select(['load', 'domcontentloaded', 'networkidle'], options), 'load'),
    expectStatus: optional(number({ ...advanced, min: 100, max: 599, help: true })),
  },
  outputs: { url: 'text', title: 'text', status: 'number' },
  timeLimitSeconds: 45,
  retry: { attempts: 2, delaySeconds: 2 },
  sideEffect: 'read',
  browser: true,
})

/** Clicks an element. */
export const click = defineActivity({
  type: 'click',
  category: 'page',
  icon: 'IconPointer',
  fields: {
    targets: targets(),
    button: withDefault(select(['left', 'right', 'middle'], options), 'left'),
    clicks: withDefault(number({ ...options, min: 1, max: 3 }), 1),
    waitForNavigation: withDefault(boolean({ ...options, help: true }), false),
    sideEffect: sideEffectField,
  },
  outputs: { url: 'text' },
  sideEffect: 'write',
  browser: true,
})

/** Writes a text into a field. */
export const fill = defineActivity({
  type: 'fill',
  category: 'page',
  icon: 'IconForms',
  fields: {
    targets: targets(),
    value: anyText(),
    mode: withDefault(select(['fill', 'type'], { ...options, help: true }), 'fill'),
    sideEffect: sideEffectField,
  },
  sideEffect: 'write',
  browser: true,
})

/** Chooses in a drop-down list, or ticks a box. */
export const selectOption = defineActivity({
  type: 'select',
  category: 'page',
  icon: 'IconSelect',
  fields: {
    targets: targets(),
    by: withDefault(select(['label', 'value', 'index', 'checked']), 'label'),
    value: shownWhen('by', ['label', 'value', 'index'], template()),
    checked: shownWhen('by', ['checked'], withDefault(boolean(), true)),
    sideEffect: sideEffectField,
  },
  outputs: { selected: 'any' },
  sideEffect: 'write',
  browser: true,
})

/** Presses a key or a combination of keys. */
export const pressKey = defineActivity({
  type: 'press-key',
  category: 'page',
  icon: 'IconKeyboard',
  fields: {
    key: template({ help: true }),
    targets: optional(targets({ shared: 'optionalTargets' })),
    times: withDefault(number({ ...options, min: 1, max: 100 }), 1),
    sideEffect: sideEffectField,
  },
  sideEffect: 'write',
  browser: true,
})

/** Gives a file to an upload field. */
export const uploadFile = defineActivity({
  type: 'upload-file',
  category: 'page',
  icon: 'IconUpload',
  fields: {
    targets: targets(),
    file: value({ help: true, mayBeEmpty: false }),
    sideEffect: sideEffectField,
  },
  outputs: { name: 'text', size: 'number' },
  timeLimitSeconds: 300,
  sideEffect: 'write',
  browser: true,
})

/** Waits until something is so. */
export const waitFor = defineActivity({
  type: 'wait-for',
  category: 'page',
  icon: 'IconHourglass',
  fields: {
    for: withDefault(select(['element', 'url', 'text', 'time']), 'element'),
    targets: shownWhen('for', ['element'], targets()),
    elementState: shownWhen(
      'for',
      ['element'],
      withDefault(select(['visible', 'hidden', 'attached', 'detached']), 'visible'),
    ),
    url: shownWhen('for', ['url'], template({ help: true })),
    text: shownWhen('for', ['text'], template()),
    until: shownWhen('for', ['time'], template({ help: true })),
    onTimeout: withDefault(select(['fail', 'continue'], { ...options, help: true }), 'fail'),
  },
  outputs: { met: 'boolean' },
  timeLimitSeconds: 30,
  sideEffect: 'read',
  browser: true,
})

/** Opens another tab, and works in it from then on. */
export const openTab = defineActivity({
  type: 'open-tab',
  category: 'page',
  icon: 'IconBrowserPlus',
  fields: {
    url: optional(template()),
    name: optional(template({ ...options, help: true })),
  },
  outputs: { index: 'number', url: 'text' },
  timeLimitSeconds: 45,
  retry: reading,
  sideEffect: 'read',
  browser: true,
})

/** Works in another open tab from then on. */
export const switchTab = defineActivity({
  type: 'switch-tab',
  category: 'page',
  icon: 'IconBrowserShare',
  fields: {
    by: withDefault(select(['name', 'index', 'url', 'title']), 'name'),
    value: template({ help: true }),
    closeCurrent: withDefault(boolean(options), false),
  },
  outputs: { index: 'number', url: 'text', title: 'text' },
  sideEffect: 'read',
  browser: true,
})

/** Takes a picture of the page or of an element. */
export const screenshot = defineActivity({
  type: 'screenshot',
  category: 'page',
  icon: 'IconCamera',
  fields: {
    name: optional(template()),
    targets: optional(targets({ shared: 'optionalTargets' })),
    fullPage: withDefault(boolean(options), false),
  },
  outputs: { file: 'file' },
  retry: reading,
  sideEffect: 'read',
  browser: true,
})
