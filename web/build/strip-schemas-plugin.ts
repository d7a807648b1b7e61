/** Removes the parts of endpoint declarations that browsers do not use. See contract/protocol/endpoint.ts. */
import type { Plugin } from 'vite'

const callFields = new Set(['method', 'path', 'auth', 'status', 'idempotent'])

interface Node {
  start: number
  end: number
}

interface Call extends Node {
  type: string
  callee?: { name?: string; object?: { name?: string }; property?: { name?: string } }
}

interface Variable {
  type: string
  init: (Node & { properties?: Part[]; elements?: Part[] }) | null
}

/** A property of an object, or an element of an array; null: a hole. */
type Part = { type: string } | null

/** An object literal. Spread elements have no key. */
interface Declaration {
  properties?: (Node & { key?: { name?: string }; value?: { type: string } })[]
}

/**
 * Removes schemas, texts and errors from endpoints, which only servers and types need. Schemas that nothing refers to
 * any longer are then removed from the client build by tree shaking.
 */
export function stripSchemasPlugin(): Plugin {
  return {
    name: 'strip-schemas',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/contract\/(?:[\w-]+\/)*[\w-]+\.ts(?:\?only=\w+)?$|\/node_modules\/typebox\// },
      handler(code, id) {
        // typebox does not declare that its modules have no side effects.
        if (id.includes('/typebox/')) return { code, map: null, moduleSideEffects: false }
        return { code: stripSchemas(code, this.parse(code)), map: null }
      },
    },
  }
}

/** Functions that build schemas. Their calls can be dropped if unused. The names have this meaning in contract/ only. */
const schemaBuilders = new Set([
  'nullable',
  'text',
  'optionalText',
  'optionalTexts',
  'pageOf',
  'factFields',
  'uploaderFields',
  'optionalFields',
  'optionalFlags',
  'listOf',
])

/**
 * Returns the code with unused fields removed and pure calls annotated.
 * @param tree syntax tree of `code`, which must be JavaScript
 */
export function stripSchemas(code: string, tree: unknown): string {
  const removals = findUnusedProperties(tree).map(({ start, end }) => ({ start, end, text: '' }))
  const pure = findBuilderCalls(tree)
    .filter(({ start }) => !removals.some((part) => part.start <= start && start < part.end))
    .map(({ start, end, callee }) =>
      callee?.name === 'endpoint'
        ? { start, end: start, text: '/* @__PURE__ */ ' }
        : { start, end, text: `/* @__PURE__ */ (() => ${code.slice(start, end)})()` },
    )
  const copyAnnotations = findCopies(tree).flatMap(({ start, end }) => [
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

/** Returns the outermost calls of schema builders, and all calls of `endpoint`. */
function findBuilderCalls(node: unknown): Call[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findBuilderCalls)
  const { type, callee } = node as Partial<Call>
  const { name, object, property } = callee ?? {}
  const isBuilder =
    object?.name === 't' ||
    // A list of the names of schemas. If it stayed, the schemas would stay, too.
    (object?.name === 'Object' && property?.name === 'keys') ||
    // A list of names made from another list.
    property?.name === 'flatMap' ||
    (name !== undefined && schemaBuilders.has(name))
  if (type === 'CallExpression' && isBuilder) return [node as Call]
  const nestedCalls = Object.values(node).flatMap(findBuilderCalls)
  return type === 'CallExpression' && name === 'endpoint' ? [node as Call, ...nestedCalls] : nestedCalls
}

/**
 * Returns objects and arrays with spreads. Bundlers keep them because getters and iterators could have side effects; ours have
 * none.
 */
function findCopies(node: unknown): Node[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findCopies)
  const { type, init } = node as Partial<Variable>
  const parts = init?.properties ?? init?.elements ?? []
  const isCopy = type === 'VariableDeclarator' && parts.some((part) => part?.type === 'SpreadElement')
  return isCopy && init ? [init] : Object.values(node).flatMap(findCopies)
}

/**
 * Returns the unused properties of all endpoints below `node`, and of objects that several endpoints share. A shared
 * object is recognised by a `method`, or by `group` and `auth`.
 */
function findUnusedProperties(node: unknown): Node[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findUnusedProperties)
  const call = node as { type?: string; callee?: { name?: string }; arguments?: Declaration[] }
  if (call.type === 'CallExpression' && call.callee?.name === 'endpoint') {
    return (call.arguments ?? []).flatMap(unusedProperties)
  }
  // Only literal values count, because a request that is sent has a `method` as well.
  const literals = (node as Declaration).properties?.filter(({ value }) => value?.type === 'Literal') ?? []
  const names = literals.map(({ key }) => key?.name)
  const isShared = names.includes('method') || (names.includes('group') && names.includes('auth'))
  if (isShared) return unusedProperties(node as Declaration)
  return Object.values(node).flatMap(findUnusedProperties)
}

function unusedProperties({ properties = [] }: Declaration): Node[] {
  return properties.filter(({ key }) => key !== undefined && !callFields.has(key.name ?? ''))
}
