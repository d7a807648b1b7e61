/** Which modules the pages load before anyone does anything, to keep them apart from all that is fetched later. */
import type { Plugin } from 'vite'

/** Where visitors come in, and what they go on to; channels are shown by what shows collections. */
const entryPages = /\/web\/routes\/(index|explore|bookmarks\.\$id|users\.\$username|collections\.\$id)\.tsx\?/
const entry = /\/web\/ssr\/entry-client\.tsx$/

export interface SharedChunks {
  plugin: Plugin
  /**
   * Of the modules that `test` finds: into `shared` what every page loads, or most of those where visitors come in;
   * into files by the names of the pages what fewer do. What more of them load goes first, for a group takes along
   * whatever its modules import.
   */
  groups: (test: RegExp) => { name: (id: string) => string | null; priority: number }[]
}

/** As many of the pages are most. */
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

/** Everything that comes with a module: what it imports, and so on; `import('…')` is left out. */
function collectImports(start: string, importedIds: (id: string) => readonly string[]): Set<string> {
  const all = new Set<string>()
  const pending = [start]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (all.has(id)) continue
    all.add(id)
    pending.push(...importedIds(id))
  }
  return all
}
