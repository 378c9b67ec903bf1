import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { interactionPolicy, Provider, type AccountClaims } from 'oidc-provider'

/** A real OpenID Connect provider on this machine, at which one person is signed in without being asked. */
export interface TestOidcServer extends AsyncDisposable {
  issuer: string
  /** Who signs in next, and what is said of them. */
  person: AccountClaims
}

export interface OidcClient {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** Starts a provider that knows one client and asks for PKCE. */
export async function testOidcServer(client: OidcClient): Promise<TestOidcServer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const oidc: TestOidcServer = {
    issuer,
    person: { sub: 'nobody' },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy: interactionPolicy.base(), url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...oidc.person, sub: accountId }) }),
    // Nobody is asked whether the client may know them.
    async loadExistingGrant({ oidc: { client: at, session, provider: own } }) {
      const grant = new own.Grant({ clientId: at?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const login = { accountId: oidc.person.sub }
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
  }
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  return oidc
}
