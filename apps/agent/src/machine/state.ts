import { createHash } from 'node:crypto'
import { readFile, realpath, statfs } from 'node:fs/promises'
import { cpus, freemem, hostname, networkInterfaces, totalmem } from 'node:os'

/** What a heartbeat says about the machine. */
export interface MachineState {
  cpu: number | null
  memMb: number | null
  diskFreeMb: number | null
  localIp: string | null
}

const MEGABYTE = 1024 * 1024

/** Looks at the machine; processor load is that since the last look. */
export class MachineWatch {
  readonly #dataDir: string
  #last = processorTimes()
  #cpu: number | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async look(): Promise<MachineState> {
    const now = processorTimes()
    const total = now.total - this.#last.total
    if (total > 0) {
      const busy = 1 - (now.idle - this.#last.idle) / total
      this.#cpu = Math.round(Math.min(Math.max(busy, 0), 1) * 1000) / 10
    }
    this.#last = now
    return {
      cpu: this.#cpu,
      memMb: Math.round((totalmem() - freemem()) / MEGABYTE),
      diskFreeMb: await diskFreeMb(this.#dataDir),
      localIp: localAddress(),
    }
  }
}

/** Free space of the disk that holds a folder, or null where it cannot be told. */
export async function diskFreeMb(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return Math.floor((bavail * bsize) / MEGABYTE)
  } catch {
    return null
  }
}

function processorTimes(): { idle: number; total: number } {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return { idle, total }
}

function localAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outside = all.filter((entry) => !entry.internal)
  return (outside.find((entry) => entry.family === 'IPv4') ?? outside[0])?.address ?? null
}

/** Tells this machine and data folder from every other: a copied folder gives another fingerprint. */
export async function fingerprint(dataDir: string): Promise<string> {
  const ids = await Promise.all(
    ['/etc/machine-id', '/var/lib/dbus/machine-id'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  const machine = ids.find((id) => id.trim() !== '')?.trim() ?? hardwareAddresses()
  const parts = [machine, hostname(), await realpath(dataDir)]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40)
}

function hardwareAddresses(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const addresses = new Set(all.filter((entry) => !entry.internal).map((entry) => entry.mac))
  return [...addresses].sort().join(',')
}
