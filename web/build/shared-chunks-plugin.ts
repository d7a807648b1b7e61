// biome-ignore-all lint/style/noRestrictedImports: part of the build, which runs in Node.
/** Which modules the pages load before anyone does anything, to keep them apart from all that is fetched later. */
import { posix } from 'node:path'
import type { Plugin, Rollup } from 'vite'

/** The pages most visitors enter through. Channel pages use the modules of collection pages. */
const entryPages = /\/web\/routes\/(index|explore|bookmarks\.\$id|users\.\$username|collections\.\$id)\.tsx\?/
const entry = /\/web\/ssr\/entry-client\.tsx$/

export interface SharedChunks {
  plugin: Plugin
  /**
   * Returns chunk groups for the modules that match `test`. Modules that every page or at least `maxSharedPages` of the
   * entry pages load go into `shared`; others go into chunks named after the initials of their pages. Modules of more pages have a
   * higher priority, because a group also takes the imports of its modules.
   */
  groups: (test: RegExp) => { name: (id: string) => string | null; priority: number }[]
}

/** Number of entry pages from which on a module belongs to the `shared` chunk. */
const maxSharedPages = 5

export function sharedChunksPlugin(): SharedChunks {
  const entryModules = new Set<string>()
  const pagesByModule = new Map<string, string[]>()
  const pageCount = (id: string) =>
    entryModules.has(id) ? maxSharedPages : Math.min(pagesByModule.get(id)?.length ?? 0, maxSharedPages)
  return {
    groups: (test) =>
      Array.from({ length: maxSharedPages }, (_, index) => maxSharedPages - index).map((count) => ({
        priority: count,
        ...(count === 1 ? { minShareCount: 2 } : {}),
        name: (id) => {
          if (!test.test(id) || /\?tsr-split/.test(id) || pageCount(id) !== count) return null
          // Only initials, because the entry script contains the name of every chunk.
          const initials = pagesByModule.get(id)?.map((page) => page[0])
          return count === maxSharedPages ? 'shared' : `of-${initials?.join('')}`
        },
      })),
    plugin: {
      name: 'shared-chunks',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'client',
      buildEnd() {
        const importedIds = (id: string) => findLoadedIds(this, id)
        for (const id of this.getModuleIds()) {
          if (entry.test(id)) for (const part of collectImports(id, importedIds)) entryModules.add(part)
          const name = /split=component/.test(id) ? entryPages.exec(id)?.[1]?.replace(/\W.*/, '') : undefined
          if (name === undefined) continue
          for (const part of collectImports(id, importedIds)) {
            const names = pagesByModule.get(part) ?? []
            if (!names.includes(name)) pagesByModule.set(part, [...names, name].sort())
          }
        }
      },
    },
  }
}

const publicApi = /\/public-api\.ts$/

/**
 * Returns the modules that a module imports; of a public-api.ts only the modules behind the imported names. The bundler
 * does the same because of `sideEffects` in package.json and because a public-api.ts has no code of its own.
 */
function findLoadedIds(context: Rollup.PluginContext, id: string): readonly string[] {
  const { importedIds = [], code } = context.getModuleInfo(id) ?? {}
  if (publicApi.test(id)) return []
  if (!importedIds.some((target) => publicApi.test(target))) return importedIds
  const names = new Map<string, string[]>()
  for (const statement of context.parse(code ?? '').body) {
    if (statement.type !== 'ImportDeclaration') continue
    const target = posix.join(posix.dirname(id), statement.source.value)
    const imported = statement.specifiers.flatMap((specifier) =>
      specifier.type === 'ImportSpecifier' && 'name' in specifier.imported ? specifier.imported.name : [],
    )
    names.set(target, [...(names.get(target) ?? []), ...imported])
  }
  return importedIds.flatMap((target) =>
    publicApi.test(target)
      ? [target, ...findExportSources(context, target, names.get(target) ?? [])]
      : target,
  )
}

/** Returns the modules from which a public-api.ts exports the names. */
function findExportSources(context: Rollup.PluginContext, api: string, names: readonly string[]): string[] {
  return context
    .parse(context.getModuleInfo(api)?.code ?? '')
    .body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      statement.source !== null &&
      statement.specifiers.some(({ exported }) => 'name' in exported && names.includes(exported.name))
        ? posix.join(posix.dirname(api), statement.source.value)
        : [],
    )
}

/** Everything that comes with a module: what it imports, and so on; `import('…')` is left out. */
function collectImports(start: string, importedIds: (id: string) => readonly string[]): Set<string> {
  const collected = new Set<string>()
  const pending = [start]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (collected.has(id)) continue
    collected.add(id)
    pending.push(...importedIds(id))
  }
  return collected
}
