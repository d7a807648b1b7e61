// biome-ignore-all lint/style/noRestrictedImports: part of the build, it runs in Node and never in a page.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The modules whose code is in each file of the client build, by the URL of the file. */
export type ChunkModules = Record<string, string[]>

/** Writes dist/chunk-modules.json, beside the folders that the server reads, for the test of the first load. */
export function recordChunkModules(): Plugin {
  return {
    name: 'record-chunk-modules',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) return
      const chunkModules: ChunkModules = {}
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        chunkModules[`/${chunk.fileName}`] = Object.entries(chunk.modules)
          .filter(([, { renderedLength }]) => renderedLength > 0)
          .map(([id]) => id.replace(/^.*\/(?=(?:web|contract|node_modules)\/)/, ''))
      }
      await writeFile(join(dir, '../chunk-modules.json'), JSON.stringify(chunkModules))
    },
  }
}
