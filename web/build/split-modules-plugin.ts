import type { Plugin } from 'vite'

interface Specifier {
  type: string
  local: { name?: string }
  imported?: { name?: string }
  exported?: { name?: string }
}

/** An import or a re-export. */
export interface Statement {
  type: string
  start: number
  end: number
  source?: { value: string } | null
  specifiers?: readonly Specifier[]
}

/** Files of endpoints and of lazy components. The contract's protocol stays whole: most pages need most of it. */
const splitFiles = /^@reelmark\/contract\/[\w-]+\.ts$|^\.{1,2}\/(?:[\w.-]+\/)*lazy-components\.ts$/
/** A file of endpoints, as another one imports it. */
const contractSibling = /^\.\/[\w-]+\.ts$/
/** A path, and the query that names the only export of the module. */
const onlyOne = /^(.*)(\?only=\w+)$/

/**
 * Makes each name that is imported from `splitFiles` a module of its own in the client build. Such a file has many endpoints
 * or lazy components, and a page needs one or two of them. As one module, all of them would be loaded with the page.
 *
 * The module of a name is a copy of the whole file, from which tree shaking removes the rest. Such files must have no state,
 * because each copy would have its own.
 */
export function splitModulesPlugin(): Plugin {
  return {
    name: 'split-modules',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId: {
      filter: { id: onlyOne },
      async handler(source, importer, options) {
        const [, path = '', query = ''] = onlyOne.exec(source) ?? []
        const resolved = await this.resolve(path, importer, { ...options, skipSelf: true })
        return resolved && { ...resolved, id: resolved.id + query }
      },
    },
    transform: {
      filter: { id: /\.tsx?(?:\?|$)/ },
      handler(code, id) {
        const isContract = /\/contract\/[\w-]+\.ts/.test(id)
        if (!isContract && !/contract\/|lazy-components/.test(code)) return null
        const statements = this.parse(code).body as unknown as Statement[]
        return { code: splitImports(code, statements, isContract), map: null }
      },
    },
  }
}

/**
 * Returns the code in which each name is imported, or exported again, from a module of its own.
 * @param isContract whether the code is a file of the contract
 */
export function splitImports(code: string, statements: readonly Statement[], isContract: boolean): string {
  let split = code
  for (const { type, start, end, source, specifiers = [] } of statements.toReversed()) {
    const path = source?.value ?? ''
    if (!splitFiles.test(path) && !(isContract && contractSibling.test(path))) continue
    // `import * as names` and imports without names stay as they are.
    const isNamed = specifiers.every((specifier) => /^(?:Import|Export)Specifier$/.test(specifier.type))
    if (!isNamed || specifiers.length === 0) continue
    const parts = specifiers.map(({ local, imported, exported }) => {
      const name = (type === 'ImportDeclaration' ? imported?.name : undefined) ?? local.name ?? ''
      return type === 'ImportDeclaration'
        ? `import { ${name} as ${local.name} } from '${path}?only=${name}'`
        : `export { ${name} as ${exported?.name} } from '${path}?only=${name}'`
    })
    split = split.slice(0, start) + parts.join('\n') + split.slice(end)
  }
  return split
}
