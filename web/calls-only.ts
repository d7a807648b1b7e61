/** What of an endpoint's declaration a browser uses: how to call it. See contract/endpoint.ts. */
import type { Plugin } from 'vite'

const used = new Set(['method', 'path', 'access', 'status', 'idempotent'])

interface Node {
  start: number
  end: number
}

/** An object as it is written; what is spread into it has no key. */
interface Declaration {
  properties?: (Node & { key?: { name?: string } })[]
}

/**
 * Leaves out of the endpoints what only servers and types need: schemas, texts, errors. With nothing that names them,
 * the schemas, and the library that they are made with, fall out of the client build, a tenth of our own code.
 */
export function callsOnly(): Plugin {
  return {
    name: 'calls-only',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    config: () => ({
      environments: {
        client: {
          build: {
            rolldownOptions: {
              treeshake: {
                manualPureFunctions: pure,
                propertyReadSideEffects: false,
                unknownGlobalSideEffects: false,
              },
            },
          },
        },
      },
    }),
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$|\/node_modules\/typebox\// },
      handler(code, id) {
        // The library does not say that loading it does nothing.
        if (id.includes('/typebox/')) return { code, map: null, moduleSideEffects: false }
        return { code: shortened(code, this.parse(code)), map: null }
      },
    },
  }
}

/** Makers of schemas and endpoints: what is made and not used need not be made. */
const pure = ['t', 'endpoint', 'nullable', 'text', 'optionalText', 'pageOf']

/** @param tree of `code`, which is JavaScript by now */
export function shortened(code: string, tree: unknown): string {
  let rest = code
  for (const { start, end } of unused(tree).sort((a, b) => b.start - a.start)) {
    rest = rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, '')
  }
  return rest
}

/**
 * The properties that may go, of each endpoint below `node`, and of what several share: that tells the `method`, or
 * `tag` and `access`.
 */
function unused(node: unknown): Node[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(unused)
  const call = node as { type?: string; callee?: { name?: string }; arguments?: Declaration[] }
  if (call.type === 'CallExpression' && call.callee?.name === 'endpoint') {
    return (call.arguments ?? []).flatMap(unusedOf)
  }
  const names = (node as Declaration).properties?.map(({ key }) => key?.name) ?? []
  const isShared = names.includes('method') || (names.includes('tag') && names.includes('access'))
  if (isShared) return unusedOf(node as Declaration)
  return Object.values(node).flatMap(unused)
}

function unusedOf({ properties = [] }: Declaration): Node[] {
  return properties.filter(({ key }) => key !== undefined && !used.has(key.name ?? ''))
}
