import { enableCompileCache, registerHooks, type ResolveFnOutput } from 'node:module'

/**
 * Makes the program's many modules load quickly, for whoever imports this first. Node reads and parses the nearest
 * package.json anew for every import, and one of our libraries has one of 180 kB: without this a start takes two
 * seconds longer and 200 MB more. What is known is answered here: a relative import of ours is the file it names, and a
 * package is looked up once.
 */
const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!parentURL?.startsWith('file:')) return next(specifier, context)
    if (specifier.startsWith('.')) return relative(specifier, parentURL) ?? next(specifier, context)
    const place = /^(.*?)\/(?:src|node_modules\/[^@/]+|node_modules\/@[^/]+\/[^/]+)\//.exec(parentURL)?.[0]
    if (specifier.startsWith('node:') || place === undefined || !isImport(context.conditions))
      return next(specifier, context)
    const key = `${place} ${specifier}`
    const found = packages.get(key) ?? { ...next(specifier, context), shortCircuit: true }
    packages.set(key, found)
    return found
  },
})

function relative(specifier: string, parent: string): ResolveFnOutput | undefined {
  const { href } = new URL(specifier, parent)
  if (href.endsWith('.ts')) return { url: href, format: 'module-typescript', shortCircuit: true }
  // This library's files are modules by their package; the 180 kB say nothing else of them.
  if (parent.includes('/node_modules/drizzle-orm/') && parent.endsWith('.js') && href.endsWith('.js'))
    return { url: href, format: 'module', shortCircuit: true }
  return undefined
}

function isImport(conditions: readonly string[]): boolean {
  return conditions.includes('import')
}

// Compiled code, types stripped, is kept in the system's temporary folder from one start to the next.
enableCompileCache()
