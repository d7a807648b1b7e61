/** What of an endpoint's declaration a browser uses: how to call it. See contract/protocol/endpoint.ts. */
import type { Plugin } from 'vite'

const callFields = new Set(['method', 'path', 'auth', 'status', 'idempotent'])

interface Node {
  start: number
  end: number
}

interface Call extends Node {
  type: string
  callee?: { name?: string; object?: { name?: string } }
}

interface Variable {
  type: string
  init: (Node & { type: string; properties?: { type: string }[] }) | null
}

/** An object as it is written; what is spread into it has no key. */
interface Declaration {
  properties?: (Node & { key?: { name?: string }; value?: { type: string } })[]
}

/**
 * Leaves out of the endpoints what only servers and types need: schemas, texts, errors. With nothing that names them,
 * most schemas fall out of the client build.
 */
export function stripSchemasPlugin(): Plugin {
  return {
    name: 'strip-schemas',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/contract\/(?:[\w-]+\/)*[\w-]+\.ts$|\/node_modules\/typebox\// },
      handler(code, id) {
        // The library does not say that loading it does nothing.
        if (id.includes('/typebox/')) return { code, map: null, moduleSideEffects: false }
        return { code: stripSchemas(code, this.parse(code)), map: null }
      },
    },
  }
}

/** Makers of schemas: what is made and not used need not be made. Said here, for the names mean that in the contract alone. */
const schemaBuilders = new Set(['t', 'nullable', 'text', 'optionalText', 'pageOf'])

/** @param tree of `code`, which is JavaScript by now */
export function stripSchemas(code: string, tree: unknown): string {
  const removals = findUnusedProperties(tree).map(({ start, end }) => ({ start, end, text: '' }))
  const pure = findBuilderCalls(tree)
    .filter(({ start }) => !removals.some((part) => part.start <= start && start < part.end))
    .map(({ start, end, callee }) =>
      callee?.name === 'endpoint'
        ? { start, end: start, text: '/* @__PURE__ */ ' }
        : { start, end, text: `/* @__PURE__ */ (() => ${code.slice(start, end)})()` },
    )
  const copyAnnotations = findObjectsWithSpread(tree).flatMap(({ start, end }) => [
    { start, end: start, text: '/* @__PURE__ */ (() => (' },
    { start: end, end, text: '))()' },
  ])
  let rest = code
  for (const { start, end, text } of [...removals, ...pure, ...copyAnnotations].sort(
    (a, b) => b.start - a.start,
  )) {
    const after = rest.slice(end)
    rest = rest.slice(0, start) + text + (text === '' ? after.replace(/^\s*,/, '') : after)
  }
  return rest
}

/** The outermost calls of makers, and those of `endpoint`. A function around a maker, for what its arguments read. */
function findBuilderCalls(node: unknown): Call[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findBuilderCalls)
  const { type, callee } = node as Partial<Call>
  const name = callee?.name ?? callee?.object?.name
  if (type === 'CallExpression' && name !== undefined && schemaBuilders.has(name)) return [node as Call]
  const nestedCalls = Object.values(node).flatMap(findBuilderCalls)
  return type === 'CallExpression' && name === 'endpoint' ? [node as Call, ...nestedCalls] : nestedCalls
}

/** The objects that a variable is given and that others are spread into: a getter might do something there; ours have none. */
function findObjectsWithSpread(node: unknown): Node[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findObjectsWithSpread)
  const { type, init } = node as Partial<Variable>
  const isCopy =
    type === 'VariableDeclarator' && init?.properties?.some((property) => property.type === 'SpreadElement')
  return isCopy && init ? [init] : Object.values(node).flatMap(findObjectsWithSpread)
}

/**
 * The properties that may go, of each endpoint below `node`, and of what several share: that tells the `method`, or
 * `tag` and `access`.
 */
function findUnusedProperties(node: unknown): Node[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findUnusedProperties)
  const call = node as { type?: string; callee?: { name?: string }; arguments?: Declaration[] }
  if (call.type === 'CallExpression' && call.callee?.name === 'endpoint') {
    return (call.arguments ?? []).flatMap(unusedProperties)
  }
  // Written out: a request that is being made has a `method`, too.
  const literals = (node as Declaration).properties?.filter(({ value }) => value?.type === 'Literal') ?? []
  const names = literals.map(({ key }) => key?.name)
  const isShared = names.includes('method') || (names.includes('group') && names.includes('auth'))
  if (isShared) return unusedProperties(node as Declaration)
  return Object.values(node).flatMap(findUnusedProperties)
}

function unusedProperties({ properties = [] }: Declaration): Node[] {
  return properties.filter(({ key }) => key !== undefined && !callFields.has(key.name ?? ''))
}
