import { jsonObjectSchema } from '@weft/workflow/document'
import { targetSchema } from '@weft/workflow/targets'
import { z } from 'zod'

/*
 * What an agent tells beside the picture, when a browser was opened from a workflow: which element somebody points at, and
 * what they did, as steps. It travels with the picture and is kept no longer than it.
 */

const share = z.number()
/** Where something is in the picture, in shares of its width and height. */
const boxSchema = z.strictObject({ x: share, y: share, width: share, height: share })
export type Box = z.infer<typeof boxSchema>

/** How many ways to find an element are told. */
export const FOUND_MOST = 8

/** A way to find the element that was pointed at; each means exactly this one. */
const foundTargetSchema = z.strictObject({
  target: targetSchema,
  /** How many elements it would mean without saying which of them. */
  matches: z.int().min(1),
})
export type FoundTarget = z.infer<typeof foundTargetSchema>

/** Why an element cannot be told. */
export const POINT_PROBLEMS = ['nothing', 'nestedFrame', 'noTarget', 'noAnswer'] as const

/** The element that somebody points at. */
export const pointedSchema = z.strictObject({
  /** Of the event that asked. */
  number: z.int(),
  /** Pressed, not only pointed at. */
  chosen: z.boolean(),
  box: boxSchema.nullable(),
  /** What kind of element it is, and how it is called, for people. */
  tag: z.string().max(60),
  label: z.string().max(200),
  found: z.array(foundTargetSchema).max(FOUND_MOST),
  problem: z.enum(POINT_PROBLEMS).nullable(),
})
export type Pointed = z.infer<typeof pointedSchema>

/** A drop-down list that is open. */
export const choiceSchema = z.strictObject({
  number: z.int(),
  box: boxSchema,
  label: z.string().max(200),
  options: z
    .array(z.strictObject({ text: z.string().max(200), disabled: z.boolean(), selected: z.boolean() }))
    .max(1000),
})
export type Choice = z.infer<typeof choiceSchema>

/** The steps that a recording makes, by their types in the catalogue. */
export const RECORDED_TYPES = [
  'open-page',
  'click',
  'fill',
  'select',
  'press-key',
  'upload-file',
  'open-tab',
  'switch-tab',
] as const
/** What somebody did that no step repeats. */
export const UNRECORDED = [
  'dialog',
  'upload',
  'drag',
  'nestedFrame',
  'noTarget',
  'closed',
  'noAnswer',
] as const
/** More entries than this are no recording any more, and no workflow could hold them. */
export const RECORDED_MOST = 400
/** The longest text that a recorded step fills in. */
export const RECORDED_TEXT_MAX = 5000

/** One thing that was done. The same id comes again when it changed, as while somebody types. */
export const recordedSchema = z.strictObject({
  id: z.int().min(1),
  /** Grows with each change of any of them. */
  seq: z.int().min(1),
  /** Null for what no step repeats; then `unrecorded` says why. */
  type: z.enum(RECORDED_TYPES).nullable(),
  unrecorded: z.enum(UNRECORDED).nullable(),
  state: jsonObjectSchema,
  /** What the element is called. */
  label: z.string().max(200),
  /** It was typed into a password field: which of them; what was typed is told to nobody. */
  secret: z.int().min(1).nullable(),
})
export type Recorded = z.infer<typeof recordedSchema>

/** How far a recording is. What the console does not have yet comes with every picture until it says that it has it. */
export const recordingSchema = z.strictObject({
  on: z.boolean(),
  /** Something was done for which there was no room any more; nothing that follows is recorded. */
  full: z.boolean().default(false),
  /** The newest change there is. */
  seq: z.int().min(0),
  news: z.array(recordedSchema).max(200),
})
export type Recording = z.infer<typeof recordingSchema>
