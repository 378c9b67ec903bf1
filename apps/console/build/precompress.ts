import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|html|svg|json|txt)$/
/** Smaller files gain nothing. */
const LEAST_BYTES = 1024

/** Writes `.gz` and `.br` beside every text file of the build, so that the server compresses nothing while it answers. */
export function precompress(): Plugin {
  let folder = 'dist'
  return {
    name: 'weft-precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async writeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name))
      await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < LEAST_BYTES) return
  const [gz, br] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  ])
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)])
}
