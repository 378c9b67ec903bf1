import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { canonicalJson } from '@weft/contract/core/canonical'
import { capabilitiesOf } from '@weft/workflow/capabilities'
import { parseDocument } from '@weft/workflow/document'
import type { Deps } from '../kit/deps.ts'
import type { FileStore } from '../kit/file-store.ts'
import { newId } from '../kit/id.ts'
import { sealFields } from '../kit/resource/secrets.ts'
import { systemActor, transact } from '../kit/work.ts'
import { account } from '../features/accounts/table.ts'
import { campaign, campaignResource } from '../features/campaigns/table.ts'
import { profile } from '../features/profiles/table.ts'
import { project } from '../features/projects/table.ts'
import { workflow, workflowRelease } from '../features/workflows/table.ts'
import { harbourPicture } from './picture.ts'
import { practiceWorkflow } from './practice-workflow.ts'

/** An account of the practice site. */
export interface PracticeAccount {
  username: string
  password: string
  displayName: string
  email: string
}

/** The account whose password is wrong on purpose, so that a first campaign also shows a failure. */
export const WRONG_ACCOUNT = 'harbour07'

/**
 * Gives a new installation something to run: a project with a published workflow, the practice accounts, two profiles
 * and a campaign in draft, all its owner's and all on the practice site. All of it or nothing.
 */
export async function makeGettingStarted(
  deps: Deps,
  files: FileStore,
  given: { ownerId: string; siteUrl: string; accounts: readonly PracticeAccount[]; clientId: string | null },
): Promise<void> {
  const picture = harbourPicture()
  const stored = await files.put(
    (async function* () {
      yield picture
    })(),
    picture.length,
  )
  const own = { ownerId: given.ownerId, createdBy: given.ownerId }
  await transact(deps, systemActor('getting started'), async (work) => {
    const { tx } = work
    const fileId = newId()
    await tx.execute(sql`
      insert into file (id, owner_id, created_by, name, size, content_type, sha256, purpose)
      values (${fileId}, ${given.ownerId}, ${given.ownerId}, 'harbour.png', ${stored.size}, 'image/png', ${stored.sha256}, 'upload')`)
    const projectId = newId()
    await tx.insert(project).values({
      id: projectId,
      ...own,
      name: 'Getting started',
      description: 'A first campaign on the practice site that comes with Weft.',
    })
    const parsed = parseDocument(practiceWorkflow(given.siteUrl, fileId))
    if (!parsed.ok) throw new Error('the practice workflow is not a workflow')
    const hash = createHash('sha256').update(canonicalJson(parsed.value)).digest('hex')
    const workflowId = newId()
    await tx.insert(workflow).values({
      id: workflowId,
      ...own,
      name: 'Post a notice',
      description: 'Signs in, reads the list, posts a notice with a picture, reads its number back.',
      icon: 'notes',
      projectId,
      draft: parsed.value,
      draftHash: hash,
      activityCount: parsed.value.activities.length,
      publishedRelease: 1,
      publishedHash: hash,
    })
    await tx.insert(workflowRelease).values({
      id: newId(),
      workflowId,
      number: 1,
      document: parsed.value,
      hash,
      changelog: 'The first release.',
      capabilities: capabilitiesOf(parsed.value),
      createdBy: given.ownerId,
    })
    const accounts = given.accounts.map((seed) => {
      const id = newId()
      const password = seed.username === WRONG_ACCOUNT ? `not ${seed.password}` : seed.password
      return {
        id,
        ...own,
        type: 'website' as const,
        username: seed.username,
        displayName: seed.displayName,
        email: seed.email,
        allowedDomains: [new URL(given.siteUrl).host],
        status: 'ready' as const,
        ...sealFields(deps.secrets, account, ['password'], id, { password }),
        tags: ['practice'],
        notes:
          seed.username === WRONG_ACCOUNT
            ? 'Its password is wrong on purpose: correct it and retry its item.'
            : '',
      }
    })
    if (accounts.length > 0) await tx.insert(account).values(accounts)
    const profiles = ['Desk one', 'Desk two'].map((name) => ({
      id: newId(),
      ...own,
      name,
      browserType: 'chromium' as const,
      tags: ['practice'],
    }))
    await tx.insert(profile).values(profiles)
    const campaignId = newId()
    await tx.insert(campaign).values({
      id: campaignId,
      ...own,
      code: 'first-notices',
      title: 'First notices',
      description: 'One notice by each practice account, two at a time.',
      type: 'publish',
      projectId,
      workflowId,
      pairing: {
        per: 'account',
        account: 'none',
        profile: 'turn',
        proxy: 'none',
        phone: 'none',
        video: 'none',
      },
      schedule: { mode: 'now' },
      pacing: { maxParallel: null, perAccountPerDay: null, perDomainPerMinute: null, delaySeconds: 0 },
      errors: { attempts: 2, backoffSeconds: 3, stopAfter: null, stopAfterPercent: null },
    })
    const attached = [
      ...accounts.map(({ id }) => ({ campaignId, kind: 'accounts' as const, resourceId: id })),
      ...profiles.map(({ id }) => ({ campaignId, kind: 'profiles' as const, resourceId: id })),
      ...(given.clientId ? [{ campaignId, kind: 'clients' as const, resourceId: given.clientId }] : []),
    ]
    await tx.insert(campaignResource).values(attached)
    work.audit({
      feature: 'projects',
      recordId: projectId,
      label: 'getting_started',
      after: { accounts: accounts.length },
    })
    work.event({ feature: 'projects', id: projectId, kind: 'created', ownerId: given.ownerId })
    work.event({ feature: 'campaigns', id: campaignId, kind: 'created', ownerId: given.ownerId })
    // A list that is open already shows them as well.
    work.event({ feature: 'workflows', id: workflowId, kind: 'created', ownerId: given.ownerId })
    for (const { id } of accounts)
      work.event({ feature: 'accounts', id, kind: 'created', ownerId: given.ownerId })
    for (const { id } of profiles)
      work.event({ feature: 'profiles', id, kind: 'created', ownerId: given.ownerId })
    await tx.execute(sql`
      insert into setting (key, value) values ('gettingStarted', 'true') on conflict (key) do nothing`)
  })
}
