/** The scripts and styles that a page lists in its head, from Vite's manifest or its development server. */

interface BuiltChunk {
  file: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

interface RouteAssets {
  preloads?: string[]
  css?: string[]
  scripts?: { attrs?: Record<string, string | boolean>; children?: string }[]
}

export interface PageAssets {
  routes: Record<string, RouteAssets>
}

/** Returns the route of a page module or null: `routes/bookmarks.$id.tsx?tsr-split=component…` → `/bookmarks/$id`. */
export function routeIdFromSource(source: string): string | null {
  const name = /^routes\/(?!__root)(.+?)\.tsx\?tsr-split=component(?!\w)/.exec(source)?.[1]
  if (name === undefined) return null
  return `/${name.replace(/(?:^|[./])index$/, '').replaceAll('.', '/')}`
}

/** Returns the assets of the built client, from the text of dist/client/.vite/manifest.json. */
export function builtAssets(manifestText: string): PageAssets {
  const manifest = JSON.parse(manifestText) as Record<string, BuiltChunk>
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error('the client build has no entry')

  const collectChunks = (chunk: BuiltChunk, seen = new Set<BuiltChunk>()): Set<BuiltChunk> => {
    if (seen.has(chunk)) return seen
    seen.add(chunk)
    for (const name of chunk.imports ?? []) {
      const imported = manifest[name]
      if (imported !== undefined) collectChunks(imported, seen)
    }
    return seen
  }
  const shared = collectChunks(entry)
  const routes: PageAssets['routes'] = {
    __root__: {
      preloads: [...shared].map((chunk) => `/${chunk.file}`),
      css: [...shared].flatMap((chunk) => chunk.css ?? []).map((file) => `/${file}`),
      scripts: [{ attrs: { type: 'module', async: true, src: `/${entry.file}` } }],
    },
  }
  for (const chunk of Object.values(manifest)) {
    const id = routeIdFromSource(chunk.src ?? '')
    if (id === null) continue
    const pageChunks = [...collectChunks(chunk)].filter((part) => !shared.has(part))
    routes[id] = {
      preloads: pageChunks.map((part) => `/${part.file}`),
      css: pageChunks.flatMap((part) => part.css ?? []).map((file) => `/${file}`),
    }
  }
  return { routes }
}

/** Returns the assets of Vite's development server. `preamble` is the script that React Fast Refresh requires first. */
export function developmentAssets(preamble: string): PageAssets {
  return {
    routes: {
      __root__: {
        // The entry also imports it; listed here so that the first paint is styled.
        css: ['/ui/styles.css'],
        scripts: [
          { attrs: { type: 'module' }, children: preamble },
          { attrs: { type: 'module', src: '/@vite/client' } },
          { attrs: { type: 'module', src: '/ssr/entry-client.tsx' } },
        ],
      },
    },
  }
}
