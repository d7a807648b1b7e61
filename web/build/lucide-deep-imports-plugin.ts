// biome-ignore-all lint/style/noRestrictedImports: part of the build, it runs in Node and never in a page.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * `import { Bell } from 'lucide-react'` → `import Bell from 'lucide-react/icons/bell'`: who uses which icon is known by
 * then, so that an icon comes with those who do and not to every page; and some two thousand files are never read.
 */
export function lucideDeepImportsPlugin(): Plugin {
  let files: Map<string, string>
  return {
    name: 'lucide-deep-imports',
    apply: 'build',
    buildStart() {
      const list = new URL('../lucide-react.mjs', import.meta.resolve('lucide-react/icons/x'))
      files = iconFiles(readFileSync(list, 'utf8'))
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?/, code: /lucide-react/ },
      handler: (code) => ({ code: rewriteIconImports(code, files), map: null }),
    },
  }
}

/** Name → file, from the library's list of its icons; some have several names. */
function iconFiles(list: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of list.matchAll(
    /export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/g,
  )) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file)
  }
  return files
}

/** @throws for an icon that the library has not */
export function rewriteIconImports(code: string, files: ReadonlyMap<string, string>): string {
  return code.replace(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["'];?/g, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => {
        const [icon = '', own = icon] = name.split(/\s+as\s+/)
        const file = files.get(icon)
        if (file === undefined) throw new Error(`lucide-react has no icon ${icon}`)
        return `import ${own} from 'lucide-react/icons/${file}';`
      })
      .join(''),
  )
}
