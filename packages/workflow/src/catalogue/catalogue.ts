import type { Activity } from '../document.ts'
import { saveSession, signIn } from './account.ts'
import type { ActivityDefinition, Outcome, OutputOf, ResolvedOf, SideEffect } from './activity.ts'
import { assert, download, extract, finish, httpRequest, setVariable, transform } from './data.ts'
import { askPerson } from './person.ts'
import {
  callWorkflow,
  condition,
  customActivity,
  delay,
  forEach,
  parallel,
  repeatUntil,
  switchCase,
  tryCatch,
} from './flow.ts'
import {
  click,
  fill,
  openPage,
  openTab,
  pressKey,
  screenshot,
  selectOption,
  switchTab,
  uploadFile,
  waitFor,
} from './page.ts'
import { log, notify } from './report.ts'

/** Every built-in activity type by its name, in the order of the palette. */
export const CATALOGUE = {
  'open-page': openPage,
  click,
  fill,
  select: selectOption,
  'press-key': pressKey,
  'upload-file': uploadFile,
  'wait-for': waitFor,
  'open-tab': openTab,
  'switch-tab': switchTab,
  screenshot,
  extract,
  assert,
  download,
  'http-request': httpRequest,
  'set-variable': setVariable,
  transform,
  'sign-in': signIn,
  'save-session': saveSession,
  condition,
  switch: switchCase,
  'for-each': forEach,
  'repeat-until': repeatUntil,
  parallel,
  'try-catch': tryCatch,
  'call-workflow': callWorkflow,
  'custom-activity': customActivity,
  delay,
  'ask-person': askPerson,
  finish,
  log,
  notify,
} as const

/** The whole catalogue by type. */
export type Catalogue = typeof CATALOGUE
/** The name of a built-in activity type. */
export type ActivityType = keyof Catalogue

/** All built-in activity types. */
export const activityTypes = Object.keys(CATALOGUE) as ActivityType[]

/** What an executor is given for a step of this type. */
export type ResolvedInput<T extends ActivityType> = ResolvedOf<Catalogue[T]>
/** What a step of this type gives to later ones. */
export type ActivityOutput<T extends ActivityType> = OutputOf<Catalogue[T]>

/** Whether a name is that of a built-in activity type. */
export function isActivityType(type: string): type is ActivityType {
  return Object.hasOwn(CATALOGUE, type)
}

/** The definition of a type, or undefined for one that this catalogue does not know. */
export function definitionOf(type: string): ActivityDefinition | undefined {
  return isActivityType(type) ? CATALOGUE[type] : undefined
}

/** The ways out of a placed step; of an unknown type, only `done`. */
export function outcomesOf(activity: Pick<Activity, 'type' | 'state'>): Outcome[] {
  return (
    definitionOf(activity.type)?.outcomes(activity.state) ?? [
      { name: 'done', kind: 'next', labelKey: 'activities.common.outcomes.done' },
    ]
  )
}

/** What a placed step may do to the world; of an unknown type, the worst. */
export function sideEffectOf(activity: Pick<Activity, 'type' | 'state'>): SideEffect {
  return definitionOf(activity.type)?.sideEffect(activity.state) ?? 'irreversible'
}
