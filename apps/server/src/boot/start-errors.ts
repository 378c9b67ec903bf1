import { createServer } from 'node:net'
import { databaseFailure } from '../db/errors.ts'
import { oneLine, StartError, type Settings } from '../settings.ts'

/** What the system refuses, in words; anything else is a mistake of the program and keeps its stack. */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EROFS: 'The disk is read-only',
  EACCES: 'A right is missing',
  EPERM: 'A right is missing',
  EMFILE: 'Too many files are open',
  ENFILE: 'Too many files are open',
  // As Postgres says it.
  '53100': 'The disk is full',
  '53200': 'Postgres has no memory left',
  '53300': 'The database takes no more connections',
}

/** The failure of a start as one clear line where a person can mend it, else as it is. */
export function asStartError(error: unknown): unknown {
  if (error instanceof StartError) return error
  const failure = databaseFailure(error)
  const refusal = failure?.code === undefined ? undefined : REFUSALS[failure.code]
  if (!failure || refusal === undefined) return error
  return new StartError(`${refusal}: ${oneLine(failure.message)}`, { cause: error })
}

/** Finds out before anything else is started whether the server may listen where it is to. */
export function checkPort({ host, port }: Settings): Promise<void> {
  return tryPort(host, port, 'set WEFT_PORT to another')
}

/** Whether the practice site may listen; to be asked only where none of an earlier server still does. */
export function checkPracticePort({ host, practicePort }: Settings): Promise<void> {
  return tryPort(host, practicePort, 'set WEFT_PRACTICE_PORT to another, or to 0 for no practice site')
}

async function tryPort(host: string, port: number, advice: string): Promise<void> {
  if (port === 0) return
  // An agent or a page of before may just be trying to come back; it will try again.
  const server = createServer((socket) => socket.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw portError(error, host, port, advice)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** Why a port cannot be listened on, with what to do. */
export function portError(error: unknown, host: string, port: number, advice: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is in use: ${advice}.`, { cause: error })
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`This machine does not let the server listen on ${host}:${port}.`, { cause: error })
  return error
}
