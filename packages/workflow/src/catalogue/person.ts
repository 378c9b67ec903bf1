import { LONGEST_HOLD_SECONDS, QUESTION_FIELD_KINDS, QUESTION_WHO } from '../question.ts'
import { defineActivity } from './activity.ts'
import {
  boolean,
  duration,
  list,
  optional,
  options,
  select,
  shownWhen,
  template,
  text,
  withDefault,
} from './field.ts'

/** Asks a person, and goes on with the answers, or another way once the time is up. */
export const askPerson = defineActivity({
  type: 'ask-person',
  category: 'flow',
  icon: 'IconUserQuestion',
  fields: {
    title: template(),
    text: optional(template({ multiline: true })),
    fields: optional(
      list(
        {
          name: text({ help: true }),
          label: template(),
          kind: withDefault(select(QUESTION_FIELD_KINDS), 'text'),
          options: shownWhen('kind', ['choice'], template({ multiline: true, help: true })),
          required: withDefault(boolean(), true),
        },
        { min: 0, max: 20, help: true },
      ),
    ),
    waitSeconds: withDefault(duration({ min: 10, max: LONGEST_HOLD_SECONDS, help: true }), 86_400),
    who: withDefault(select(QUESTION_WHO, { ...options, help: true }), 'runners'),
    names: shownWhen('who', ['people', 'roles'], template({ ...options, help: true })),
    picture: withDefault(boolean({ ...options, help: true }), false),
  },
  outputs: { answered: 'boolean', answers: 'object', by: 'text' },
  bodies: () => [{ name: 'answered' }, { name: 'timedOut' }],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})
