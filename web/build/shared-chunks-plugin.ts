/** Groups the modules of the main pages into shared chunks, separate from modules that are loaded later. */
import type { Plugin } from 'vite'

/** The pages most visitors enter through. Channel pages use the modules of collection pages. */
const entryPages = /\/web\/routes\/(index|explore|bookmarks\.\$id|users\.\$username|collections\.\$id)\.tsx\?/
const entry = /\/web\/ssr\/entry-client\.tsx$/

export interface SharedChunks {
  plugin: Plugin
  /**
   * Returns chunk groups for the modules that match `test`. Modules that every page or at least `maxSharedPages` of the
   * entry pages load go into `shared`; others go into chunks named after their pages. Modules of more pages have a
   * higher priority, because a group also takes the imports of its modules.
   */
  groups: (test: RegExp) => { name: (id: string) => string | null; priority: number }[]
}

/** Number of entry pages from which on a module belongs to the `shared` chunk. */
const maxSharedPages = 4

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
          return count === maxSharedPages ? 'shared' : `of-${pagesByModule.get(id)?.join('-')}`
        },
      })),
    plugin: {
      name: 'shared-chunks',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'client',
      buildEnd() {
        const importedIds = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
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

/** Returns the ids of a module and everything it statically imports, directly or indirectly. */
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
