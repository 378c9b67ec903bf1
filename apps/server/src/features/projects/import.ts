import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { projectTransfer } from '@weft/contract/projects/transfer-api'
import type { ParsedInputOf } from '@weft/contract/core/endpoint'
import type { ImportReport, importReport } from '@weft/contract/projects/transfer'
import { capabilitiesOf } from '@weft/workflow/capabilities'
import { parseDocument, type WorkflowDocument } from '@weft/workflow/document'
import { validate } from '@weft/workflow/validate'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { madeBy, newId } from '../../kit/record.ts'
import { createRecord } from '../../kit/resource/change.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { putTests } from '../workflow-tests/carry.ts'
import { draftColumns, hashOf } from '../workflows/document.ts'
import { offeredTogether } from '../workflows/offered.ts'
import { workflow, workflowRelease } from '../workflows/table.ts'
import { calledAmong, lacksOf, type Needing } from './lacks.ts'
import { projectRecord } from './record.ts'
import { callingNew } from './take.ts'
import { project } from './table.ts'

type Input = ParsedInputOf<typeof projectTransfer.import>
type InFile = Input['file']['workflows'][number]

/** Makes a new project of a file. Everything gets new ids; workflows of the file go on calling each other. */
export async function importProject(
  ctx: CallContext,
  secrets: Secrets,
  { file, name: given }: Input,
): Promise<z.input<typeof importReport>> {
  const { secrets: secretNames, variables, defaults, ...plain } = file.project
  const name = given ?? plain.name
  const ids = new Map(file.workflows.map(({ id }) => [id, newId()]))
  if (ids.size < file.workflows.length)
    throw new AppError('project.bad_file', { detail: 'an id occurs twice' })
  const made = await createRecord(ctx, secrets, projectRecord, { ...plain, name })
  await ctx.tx.update(project).set({ variables, defaults }).where(eq(project.id, made.id))
  const needing: Needing[] = []
  const leftOut: ImportReport['leftOut'] = []
  let releases = 0
  for (const taken of await takeIn(ctx, made.id, file.workflows, ids)) {
    needing.push(taken.needing)
    releases += taken.releases
    leftOut.push(...taken.leftOut.map((number) => ({ workflowName: taken.needing.name, number })))
  }
  const known = await calledAmong(
    ctx,
    needing.flatMap(({ documents }) => documents),
  )
  const has = { variables: variables.map((variable) => variable.name), secrets: [] }
  const missing = lacksOf(needing, has, known)
  const wanted = secretNames.map((secret) => secret.name)
  const workflows = file.workflows.length
  ctx.audit({
    feature: 'projects',
    recordId: made.id,
    after: { name, workflows, releases, secretsWanted: secretNames.length },
  })
  return { projectId: made.id, name, workflows, releases, missing, secrets: wanted, leftOut }
}

interface Taken {
  needing: Needing
  releases: number
  leftOut: number[]
}

/**
 * Makes workflows of those in a file. Releases that are not valid here, that the caller may not publish, or that call what
 * was withdrawn or is itself left out, are left out.
 */
export async function takeIn(
  ctx: CallContext,
  projectId: string | null,
  files: readonly InFile[],
  ids: ReadonlyMap<string, string>,
): Promise<Taken[]> {
  const read = files.map((one) => readWorkflow(ctx, projectId, one, ids))
  const offered = await offeredTogether(
    ctx.tx,
    read.map(({ own, publishable }) => ({ id: own.id, releases: publishable })),
  )
  const taken: Taken[] = []
  for (const one of read) taken.push(await put(ctx, one, offered))
  return taken
}

type Read = ReturnType<typeof readWorkflow>

function readWorkflow(
  ctx: CallContext,
  projectId: string | null,
  one: InFile,
  ids: ReadonlyMap<string, string>,
) {
  const { releases: raw, draft: rawDraft, id: idInFile, tests, ...plain } = one
  const draft = callingNew(readIn(rawDraft, one.name), ids)
  const numbers = new Set(raw.map(({ number }) => number))
  if (numbers.size < raw.length)
    throw new AppError('project.bad_file', { detail: `${one.name}: a release occurs twice` })
  const releases = raw
    .toSorted((a, b) => a.number - b.number)
    .map(({ document, ...release }) => ({
      ...release,
      document: callingNew(readIn(document, `${one.name} ${release.number}`), ids),
    }))
  const own = { id: ids.get(idInFile) ?? newId(), ...madeBy(ctx), ...plain, projectId }
  // A release that comes in is published as much as one that is made here.
  const mayPublish = ctx.can('PUBLISH', 'WORKFLOW', own)
  const publishable = releases.filter(
    ({ document }) => mayPublish && validate(document).every(({ severity }) => severity !== 'error'),
  )
  return { own, draft, tests, releases, publishable }
}

async function put(
  ctx: CallContext,
  { own, draft, tests, releases, publishable }: Read,
  offered: ReadonlySet<WorkflowDocument>,
): Promise<Taken> {
  const { id, name } = own
  const valid = publishable.filter(({ document }) => offered.has(document))
  const newest = valid.at(-1)
  const row = {
    ...own,
    ...draftColumns(draft, ctx),
    publishedRelease: newest?.number ?? null,
    publishedHash: newest ? hashOf(newest.document) : null,
  }
  if (!ctx.can('CREATE', 'WORKFLOW', row)) throw new AppError('access.denied')
  await ctx.tx.insert(workflow).values(row)
  for (const { number, changelog, document } of valid)
    await ctx.tx.insert(workflowRelease).values({
      id: newId(),
      workflowId: id,
      number,
      document,
      hash: hashOf(document),
      changelog,
      capabilities: capabilitiesOf(document),
      createdBy: ctx.user.id,
    })
  await putTests(ctx, { id, draft }, tests)
  ctx.audit({ feature: 'workflows', recordId: id, label: 'workflow.create', after: { name } })
  ctx.event({ feature: 'workflows', id, kind: 'created', ownerId: ctx.user.id })
  return {
    needing: { id, name, documents: [draft, ...(newest ? [newest.document] : [])] },
    releases: valid.length,
    leftOut: releases.filter((release) => !valid.includes(release)).map(({ number }) => number),
  }
}

function readIn(raw: unknown, where: string): WorkflowDocument {
  const parsed = parseDocument(raw)
  if (parsed.ok) return parsed.value
  const [first] = parsed.problems
  throw new AppError('project.bad_file', { detail: `${where}: ${first?.path ?? ''} ${first?.code ?? ''}` })
}
