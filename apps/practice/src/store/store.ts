import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Board } from './board.ts'
import { Sessions } from './sessions.ts'
import { SwitchBoard } from './switches.ts'

/** Everything the site keeps, in `<dataDir>/practice`. */
export interface Store {
  board: Board
  sessions: Sessions
  switches: SwitchBoard
  close: () => Promise<void>
}

/** Opens the store, making the folder when there is none. */
export async function openStore(dataDir: string): Promise<Store> {
  const folder = join(dataDir, 'practice')
  await mkdir(folder, { recursive: true })
  const switches = await SwitchBoard.open(folder)
  const sessions = await Sessions.open(folder)
  const board = await Board.open(folder).catch(async (error: unknown) => {
    await sessions.close()
    throw error
  })
  return {
    board,
    sessions,
    switches,
    close: async () => {
      await Promise.all([board.close(), sessions.close(), switches.close()])
    },
  }
}
