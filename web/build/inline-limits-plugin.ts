import { limits } from '@reelmark/contract/protocol/limits.ts'
import type { Plugin } from 'vite'

/** `limits.pageSize` → `25`: a page has the numbers that it uses, and not the list of all there are. */
export function inlineLimitsPlugin(): Plugin {
  return {
    name: 'inline-limits',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/(?:web|contract)\/.*\.tsx?/, code: /\blimits\./ },
      handler: (code) => ({ code: inlineLimits(code), map: null }),
    },
  }
}

/** Exported for its test. */
export function inlineLimits(code: string): string {
  return code.replace(/(?<![\w$.'"`/])limits\.(\w+)/g, (match, name: string) =>
    name in limits ? `(${limits[name as keyof typeof limits]})` : match,
  )
}
