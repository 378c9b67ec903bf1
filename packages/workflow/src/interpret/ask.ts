import { CATALOGUE } from '../catalogue/catalogue.ts'
import { StepError } from '../errors.ts'
import type { ResolvedInput } from '../catalogue/catalogue.ts'
import { emptyAnswers, optionsOf, questionSchema } from '../question.ts'
import type { Question } from '../question.ts'
import type { Container, ContainerEnd } from './container.ts'
import type { HoldEnd } from './hold.ts'
import { parseInput } from './resolve.ts'
import { formatPath } from './run.ts'

/** Asks a person and waits for the answer; then goes one way, or the other once the time is up. */
export async function askPerson(container: Container): Promise<ContainerEnd> {
  const { run, activity, resume, end, runBody } = container
  const within = resume?.segments[0]?.outcome
  if (within !== undefined) {
    // Asked and decided before: the run goes on inside.
    return { outcome: within, output: run.steps[activity.id] ?? {}, proceed: () => runBody(within) }
  }
  const input = parseInput(CATALOGUE['ask-person'].resolvedSchema, container.input)
  const question = questionOf(input)
  const { ending, answers, by } = end ?? (await ask(container, question, input))
  const answered = ending === 'answered'
  const outcome = answered ? 'answered' : 'timedOut'
  const output = {
    answered,
    answers: answered ? answers : emptyAnswers(question.fields),
    by: by ?? '',
  }
  return { outcome, output, proceed: () => runBody(outcome) }
}

async function ask(
  { run, frame, activity, wait }: Container,
  question: Question,
  { picture, waitSeconds: seconds }: ResolvedInput<'ask-person'>,
): Promise<HoldEnd> {
  const { hold } = run.shared.options
  const place = {
    stepId: activity.id,
    name: activity.name ?? null,
    path: run.pathPrefix + formatPath(frame.path),
  }
  if (picture) await hold?.picture?.(place, frame.lane)
  return wait({ kind: 'question', seconds, question })
}

function questionOf(input: ResolvedInput<'ask-person'>): Question {
  const { title, text = '', fields: asked = [], who, names = '' } = input
  const parsed = questionSchema.safeParse({
    title,
    text,
    fields: asked.map(({ name, label, kind, options = '', required }) => ({
      name,
      label,
      kind,
      required,
      options: kind === 'choice' ? optionsOf(options) : [],
    })),
    who,
    names: who === 'runners' ? [] : optionsOf(names.replaceAll(',', '\n')),
  })
  const fields = parsed.data?.fields ?? []
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index)
  if (parsed.success && !twice) return parsed.data
  const [issue] = parsed.error?.issues ?? []
  const path = twice ? `fields.${twice.name}` : (issue?.path.join('.') ?? '')
  throw new StepError('InputInvalid', `The question's "${path}" is not right.`, { params: { path } })
}
