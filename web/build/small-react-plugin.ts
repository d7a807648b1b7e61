import type { Plugin } from 'vite'

/**
 * The functions of react-dom that only do something for a feature that the site does not use. React's package has no
 * switches for them. The test names the features, and fails if one is used.
 */
const unusedFunctions = new Set([
  // <ViewTransition>
  'trackEnterViewTransitions',
  'pushViewTransitionCancelableScope',
  'applyViewTransitionToHostInstances',
  'applyViewTransitionToHostInstancesRecursive',
  'restoreViewTransitionOnHostInstances',
  'commitAppearingPairViewTransitions',
  'commitEnterViewTransitions',
  'commitDeletedPairViewTransitions',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'restorePairedViewTransitions',
  'restoreEnterOrExitViewTransitions',
  'restoreNestedViewTransitions',
  'measureViewTransitionHostInstancesRecursive',
  'measureNestedViewTransitions',
  'recursivelyTraverseAfterMutationEffects',
  'commitAfterMutationEffectsOnFiber',
  'flushAfterMutationEffects',
  'scheduleViewTransitionEvent',
  'getViewTransitionName',
  'getViewTransitionClassName',
  'getClassNameByType',
  'applyViewTransitionName',
  'restoreViewTransitionName',
  'startViewTransition',
  'createViewTransitionInstance',
  'reportViewTransitionError',
  // A ref on a fragment
  'commitNewChildToFragmentInstances',
  'commitFragmentInstanceInsertionEffects',
  'commitFragmentInstanceDeletionEffects',
  'commitNewChildToFragmentInstance',
  'deleteChildFromFragmentInstance',
  'isFragmentInstanceParent',
  'addFragmentHandleToFiber',
  'addFragmentHandleToInstance',
  // <Activity>
  'updateActivityComponent',
  'retryActivityComponentWithoutHydrating',
  'mountActivityChildren',
  'commitActivityHydrationCallbacks',
  // <SuspenseList>
  'updateSuspenseListComponent',
  'initSuspenseListRenderState',
  'findFirstSuspended',
  // useActionState, useOptimistic, and forms whose action is a function
  'mountActionState',
  'updateActionState',
  'updateActionStateImpl',
  'rerenderActionState',
  'dispatchActionState',
  'runActionStateAction',
  'updateOptimisticImpl',
  'ensureFormComponentIsStateful',
  'requestFormReset$1',
  'requestFormReset',
  // preload, preinit, preconnect and prefetchDNS
  'preconnectAs',
  'prefetchDNS',
  'preconnect',
  'preload',
  'preloadModule',
  'preinitStyle',
  'preinitScript',
  'preinitModuleScript',
  // Custom elements
  'setPropOnCustomElement',
  // The component stack of an error, which only development shows
  'getStackByFiberInDevAndProd',
  'describeFiber',
  'describeNativeComponentFrame',
  'describeBuiltInComponentFrame',
])

/** Classes of these features, whose methods are removed. */
const unusedClasses = new Set(['FragmentInstance', 'ViewTransitionPseudoElement'])

/** The tags of <SuspenseList>, <ViewTransition> and <Activity>, which `switch (fiber.tag)` tells apart. */
const unusedTags = new Set<unknown>([19, 30, 31])

/** What the packages export for these features, or what neither the site nor its libraries import. */
const unusedExports = {
  react: new Set([
    'Activity',
    'Children',
    'Profiler',
    'PureComponent',
    'ViewTransition',
    '__COMPILER_RUNTIME',
    'addTransitionType',
    'cache',
    'cacheSignal',
    'unstable_useCacheRefresh',
    'useActionState',
    'useOptimistic',
  ]),
  'react-dom': new Set([
    'browser',
    'preconnect',
    'prefetchDNS',
    'preinit',
    'preinitModule',
    'preload',
    'preloadModule',
    'requestFormReset',
    'useFormState',
    'useFormStatus',
  ]),
}

interface Node {
  type: string
  start: number
  end: number
  id?: { name?: string } | null
  body?: Node
  left?: {
    object?: { name?: string; object?: { name?: string }; property?: { name?: string } }
    property?: { name?: string }
  }
  expression?: Node
}

interface Switch extends Node {
  discriminant: { property?: { name?: string } }
  cases: (Node & { test: { value?: unknown } | null; consequent: Node[] })[]
}

/** Removes what the site does not need of React from the client build. */
export function smallReactPlugin(): Plugin {
  return {
    name: 'small-react',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/(?:react|react-dom)\/cjs\/(?:react|react-dom|react-dom-client)\.production\.js$/ },
      handler(code, id) {
        const statements = this.parse(code).body as unknown as Node[]
        const reduce = /-client\.production\.js$/.test(id)
          ? emptyFunctions(code, statements)
          : removeExports(code, statements, /\/react-dom\/cjs\//.test(id) ? 'react-dom' : 'react')
        return { code: reduce, map: null }
      },
    },
  }
}

/**
 * Returns the code of react-dom without the bodies of the unused functions, and without the unused methods and cases.
 * @param statements the statements of `code`
 * @throws Error if react-dom has no such function any more, as after an upgrade
 */
export function emptyFunctions(code: string, statements: readonly Node[]): string {
  const missing = new Set([...unusedFunctions, ...unusedClasses])
  const removals = statements.flatMap((statement) => {
    const name = statement.id?.name ?? ''
    missing.delete(name)
    if (statement.type === 'FunctionDeclaration' && unusedFunctions.has(name)) {
      return { start: (statement.body?.start ?? 0) + 1, end: (statement.body?.end ?? 0) - 1 }
    }
    const method = statement.expression?.left?.object
    const isUnused = method?.property?.name === 'prototype' && unusedClasses.has(method.object?.name ?? '')
    return isUnused ? statement : findUnusedCases(statement)
  })
  if (missing.size > 0) throw new Error(`react-dom has no ${[...missing].join(', ')}`)
  return remove(code, removals)
}

/**
 * Returns the code of a package without its unused exports.
 * @throws Error if the package has no such export any more
 */
export function removeExports(
  code: string,
  statements: readonly Node[],
  name: keyof typeof unusedExports,
): string {
  const missing = new Set(unusedExports[name])
  const removals = statements.filter(({ expression }) => {
    const { object, property } = expression?.left ?? {}
    return object?.name === 'exports' && missing.delete(property?.name ?? '')
  })
  if (missing.size > 0) throw new Error(`${name} has no ${[...missing].join(', ')}`)
  return remove(code, removals)
}

function remove(code: string, parts: readonly { start: number; end: number }[]): string {
  return parts.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code)
}

/** Returns the cases of unused tags below a node that no other case falls through to, in the order of the code. */
function findUnusedCases(node: unknown): { start: number; end: number }[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(findUnusedCases)
  if ((node as Node).type !== 'SwitchStatement') return Object.values(node).flatMap(findUnusedCases)
  const { discriminant, cases } = node as Switch
  const isByTag = discriminant.property?.name === 'tag'
  return cases.flatMap((part, index) => {
    const isReached = index > 0 && !endsAlways(cases[index - 1]?.consequent.at(-1))
    const isUnused = isByTag && unusedTags.has(part.test?.value) && part.consequent.length > 0 && !isReached
    return isUnused ? part : findUnusedCases(part.consequent)
  })
}

function endsAlways(statement: Node | undefined): boolean {
  return /^(?:Break|Return|Throw|Continue)Statement$/.test(statement?.type ?? '')
}
