/** Has the practice site wait before its answers: to everybody (`all`), or to one account. */
export async function slowDown(siteUrl: string, scope: string, ms: number): Promise<void> {
  const answer = await fetch(`${siteUrl}/api/switches/${scope}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slowMs: ms }),
  })
  if (!answer.ok) throw new Error(`the practice site said ${answer.status}`)
}
