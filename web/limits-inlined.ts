import { limits } from '@reelmark/contract/limits.ts'
import type { Plugin } from 'vite'

/** `limits.pageSize` → `25`: a page has the numbers that it uses, and not the list of all there are. */
export function limitsInlined(): Plugin {
  return {
    name: 'limits-inlined',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/(?:web|contract)\/.*\.tsx?/, code: /\blimits\./ },
      handler: (code) => ({ code: inlined(code), map: null }),
    },
  }
}

/** Exported for its test. */
export function inlined(code: string): string {
  return code.replace(/(?<![\w$.'"`/])limits\.(\w+)/g, (written, name: string) =>
    name in limits ? `(${limits[name as keyof typeof limits]})` : written,
  )
}
