import { z } from 'zod'

const text = z.string().min(1).max(2000)
const common = {
  /** Which of several matches, from 0; without it the match must be the only one. */
  nth: z.int().min(0).max(10_000).optional(),
  /**
   * A CSS selector of the frame that holds the element; of frames within frames, from the outermost in, with ` >> ` between.
   * What stands before one and is no frame narrows down where the next is looked for, within one document.
   */
  frame: text.optional(),
}

/** What stands between the selectors of a frame and of one within it; within quotes it is a part of a selector. */
const WITHIN = /\s+>>\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/

/** The selectors of the frames that a target is in, the outermost first. */
export const framesOf = (frame: string): string[] => frame.split(WITHIN)
/** The same as one text, as a target has it. */
export const frameOf = (selectors: readonly string[]): string => selectors.join(' >> ')

/** The ways an element can be found, in the order in which they should be preferred. */
export const targetKinds = [
  'role',
  'label',
  'text',
  'placeholder',
  'testId',
  'altText',
  'title',
  'css',
  'xpath',
] as const
/** One way to find an element. */
export type TargetKind = (typeof targetKinds)[number]

/** How to find an element on a page. Its texts may hold templates. */
export const targetSchema = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('role'),
    role: text,
    name: text.optional(),
    exact: z.boolean().optional(),
    ...common,
  }),
  z.strictObject({ by: z.literal('label'), text, exact: z.boolean().optional(), ...common }),
  z.strictObject({ by: z.literal('text'), text, exact: z.boolean().optional(), ...common }),
  z.strictObject({ by: z.literal('placeholder'), text, exact: z.boolean().optional(), ...common }),
  z.strictObject({ by: z.literal('testId'), id: text, ...common }),
  z.strictObject({ by: z.literal('altText'), text, exact: z.boolean().optional(), ...common }),
  z.strictObject({ by: z.literal('title'), text, exact: z.boolean().optional(), ...common }),
  z.strictObject({ by: z.literal('css'), selector: text, ...common }),
  z.strictObject({ by: z.literal('xpath'), expression: text, ...common }),
])
/** How to find an element on a page. */
export type Target = z.infer<typeof targetSchema>

/** Several ways to find the same element, tried in order. */
export const targetsSchema = z.array(targetSchema).min(1).max(8)

/** A target in a few plain characters, for rows and logs. */
export function describeTarget(target: Target): string {
  switch (target.by) {
    case 'role':
      return target.name === undefined ? target.role : `${target.role} “${target.name}”`
    case 'testId':
      return `testId ${target.id}`
    case 'css':
      return target.selector
    case 'xpath':
      return target.expression
    default:
      return `${target.by} “${target.text}”`
  }
}
