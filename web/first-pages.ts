/** Which modules the pages load before anyone does anything, to keep them apart from all that is fetched later. */
import type { Plugin } from 'vite'

/** Where visitors come in, and what they go on to; channels are shown by what shows collections. */
const pages = /\/web\/routes\/(index|explore|bookmarks\.\$id|users\.\$username|collections\.\$id)\.tsx\?/
const entry = /\/web\/entry-client\.tsx$/

export interface FirstPages {
  plugin: Plugin
  /**
   * Of the modules that `test` finds: into `shared` what every page loads, or most of those where visitors come in;
   * into files by the names of the pages what fewer do. What more of them load goes first, for a group takes along
   * whatever its modules import.
   */
  groups: (test: RegExp) => { name: (id: string) => string | null; priority: number }[]
}

/** As many of the pages are most. */
const most = 4

export function firstPages(): FirstPages {
  const ofEntry = new Set<string>()
  const pagesOf = new Map<string, string[]>()
  const countOf = (id: string) => (ofEntry.has(id) ? most : Math.min(pagesOf.get(id)?.length ?? 0, most))
  return {
    groups: (test) =>
      Array.from({ length: most }, (_, index) => most - index).map((count) => ({
        priority: count,
        ...(count === 1 ? { minShareCount: 2 } : {}),
        name: (id) => {
          if (!test.test(id) || /\?tsr-split/.test(id) || countOf(id) !== count) return null
          return count === most ? 'shared' : `of-${pagesOf.get(id)?.join('-')}`
        },
      })),
    plugin: {
      name: 'first-pages',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'client',
      buildEnd() {
        const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
        for (const id of this.getModuleIds()) {
          if (entry.test(id)) for (const part of allOf(id, importsOf)) ofEntry.add(part)
          const name = /split=component/.test(id) ? pages.exec(id)?.[1]?.replace(/\W.*/, '') : undefined
          if (name === undefined) continue
          for (const part of allOf(id, importsOf)) {
            const names = pagesOf.get(part) ?? []
            if (!names.includes(name)) pagesOf.set(part, [...names, name].sort())
          }
        }
      },
    },
  }
}

/** Everything that comes with a module: what it imports, and so on; `import('…')` is left out. */
function allOf(start: string, importsOf: (id: string) => readonly string[]): Set<string> {
  const all = new Set<string>()
  const waiting = [start]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (all.has(id)) continue
    all.add(id)
    waiting.push(...importsOf(id))
  }
  return all
}
