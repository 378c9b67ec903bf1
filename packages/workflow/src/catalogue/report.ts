import { defineActivity } from './activity.ts'
import { options, optional, select, template, withDefault } from './field.ts'

/** Writes a line to the run's log. */
export const log = defineActivity({
  type: 'log',
  category: 'report',
  icon: 'IconNotes',
  fields: {
    message: template({ multiline: true }),
    level: withDefault(select(['debug', 'info', 'warning', 'error'], options), 'info'),
  },
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Tells the owner of the run something. */
export const notify = defineActivity({
  type: 'notify',
  category: 'report',
  icon: 'IconBell',
  fields: {
    title: template(),
    message: optional(template({ multiline: true })),
    severity: withDefault(select(['info', 'success', 'warning', 'error'], options), 'info'),
  },
  timeLimitSeconds: 5,
  sideEffect: 'write',
  browser: false,
})
