import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** Head and body as they came over the wire. */
  raw: string
}

/** A real SMTP server on this machine. */
export interface TestMailServer extends AsyncDisposable {
  port: number
  received: ReceivedMail[]
  /** While set, every mail is refused with this status. */
  refuseWith: number | undefined
}

/** Starts an SMTP server that knows one user. */
export async function testMailServer(user: { username: string; password: string }): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === user.username && password === user.password) done(null, { user: username })
      else done(new Error('wrong user or password'))
    },
    async onData(stream, session, done) {
      const raw = await text(stream)
      const status = mailServer.refuseWith
      if (status !== undefined) return done(Object.assign(new Error('refused'), { responseCode: status }))
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
      })
      done()
    },
  })
  server.on('error', () => {
    // A client that goes away in the midst is its own affair.
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  const mailServer: TestMailServer = {
    port: address.port,
    received,
    refuseWith: undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mailServer
}

/** The plain text of a mail: its transfer encoding undone. */
export function textOf({ raw }: ReceivedMail): string {
  const at = raw.indexOf('\r\n\r\n')
  const [head, body] = [raw.slice(0, at), raw.slice(at + 4)]
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
