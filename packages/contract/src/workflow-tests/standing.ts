import { z } from 'zod'

/** How a test came out: `undecided` where its run was stopped, lost or not taken up. */
export const TEST_VERDICTS = ['running', 'passed', 'failed', 'undecided'] as const
export type TestVerdict = (typeof TEST_VERDICTS)[number]

/**
 * How a test stands toward a document: as its last run came out, or `stale` where that ran another document or another
 * version of the test, or `never`.
 */
export const TEST_STANDINGS = [...TEST_VERDICTS, 'stale', 'never'] as const
export type TestStanding = (typeof TEST_STANDINGS)[number]

/** How the tests of a workflow stood when a release was made: how many had passed, and which others there were. */
export const releaseTestsSchema = z.object({
  passed: z.number().int(),
  others: z.array(z.object({ name: z.string(), standing: z.enum(TEST_STANDINGS) })),
})
export type ReleaseTests = z.infer<typeof releaseTestsSchema>
