/** What the program's exit code says to whoever started it. Codes are stable: service files depend on them. */
export const EXIT = {
  /** Drained or stopped as asked. */
  ok: 0,
  /** Something unforeseen; starting again may help. */
  failed: 1,
  /** A wrong setting; starting again does not help. */
  settings: 2,
  /** Another agent lives with this identity, on this machine or another. */
  conflict: 3,
  /** This version is below the server's minimum: update it. */
  updateNeeded: 4,
  /** The server does not know or no longer accepts this agent. */
  refused: 5,
} as const
/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the program with a message for a person and a code for its keeper. */
export class AgentExit extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AgentExit'
    this.exitCode = exitCode
  }
}
