/** The site that passkeys are made for: the console's address as people reach it. */
export function siteOf({ publicUrl }: { publicUrl: string }): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { rpID: hostname, origin }
}
