// biome-ignore-all lint/style/noRestrictedImports: part of the build, which runs in Node.
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Replaces lucide-react's own function, whose options we do not use. */
const createIconFile = join(import.meta.dirname, '../ui/create-icon.ts')

/**
 * Reduces icons in both builds to what we use: `createIcon` shows them, and their shapes lose the React keys, which are
 * random text that does not compress. Shapes of an icon never change, so that they need no keys.
 */
export function smallIconsPlugin(): Plugin {
  return {
    name: 'small-icons',
    apply: 'build',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: (code) => ({ code: reduceIcon(code, createIconFile), map: null }),
    },
  }
}

/**
 * Returns the code of an icon without keys, and without a statement that has no effect but that the bundler retains.
 * @param file the file whose `createIcon` creates the icon
 */
export function reduceIcon(code: string, file: string): string {
  return code
    .replace(
      "import createLucideIcon from '../createLucideIcon.mjs'",
      `import { createIcon as createLucideIcon } from ${JSON.stringify(file)}`,
    )
    .replaceAll(/,\s+key: "\w+"/g, '')
    .replace('__iconData.node;\n', '')
}
