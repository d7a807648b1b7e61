/** Every regular expression takes time proportional to the text, checked with recheck. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import { adultVideoHosts } from './core/video-links/hosts/adult-hosts.ts'
import { compileLink } from './core/video-links/link-template.ts'
import { videoHosts } from './core/video-links/video-hosts.ts'

/** Milliseconds for checking a thousand regular expressions. */
const checkingTimeoutMs = 1_200_000

const root = join(import.meta.dirname, '..')

interface Regex {
  where: string
  source: string
  flags: string
}

/** Files whose regular expressions are not checked, and why. */
const allowedFiles: Record<string, string> = {
  'web/vite.config.ts': 'matches the names of our own files while building',
  'web/build/strip-schemas-plugin.ts': 'matches the names of our own files while building',
}

/** The forms of ids in the tables of hosts are parts of link templates, which are checked as compiled. */
const templateParts = /^server\/core\/video-links\/hosts\//

/** Returns the regular expressions of a file: literals, and the patterns of schemas. */
function findRegexes(file: string): Regex[] {
  const code = readFileSync(join(root, file), 'utf8')
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const regexes: Regex[] = []
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { type, start, regex, key, value } = node as {
      type?: string
      start: number
      regex?: { pattern: string; flags: string }
      key?: { name?: string }
      value?: { type?: string; value?: unknown }
    }
    const where = () => `${file}:${code.slice(0, start).split('\n').length}`
    if (type === 'Literal' && regex)
      regexes.push({ where: where(), source: regex.pattern, flags: regex.flags })
    if (type === 'Property' && key?.name === 'pattern' && typeof value?.value === 'string') {
      regexes.push({ where: where(), source: value.value, flags: 'u' })
    }
    Object.values(node).forEach(visit)
  }
  visit(program)
  return regexes
}

/** Returns whether a regular expression repeats anything. One that does not takes constant time at each character. */
function hasRepetition({ source }: Regex): boolean {
  return /[*+{]/.test(source)
}

/** How often a finding is checked: recheck's fuzzing measures time, so that a stall of a busy machine looks like a slow expression. */
const checksMax = 3

/** Returns what recheck finds each time about a regular expression; null if it is linear. */
async function findProblem({ source, flags }: Regex): Promise<string | null> {
  let problem: string | null = null
  for (let n = 0; n < checksMax; n++) {
    const result = await check(source, flags, { timeout: 60_000 })
    if (result.status === 'safe') return null
    problem = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind
    // What the automaton proves does not depend on time.
    if (result.checker === 'automaton') break
  }
  return problem
}

/** Returns the regular expressions that are not known to be linear, each once, with what recheck found. */
async function findNonLinear(regexes: readonly Regex[]): Promise<string[]> {
  const found: string[] = []
  const unique = new Map(regexes.map((regex) => [`/${regex.source}/${regex.flags}`, regex]))
  for (const [text, regex] of unique) {
    if (!hasRepetition(regex)) continue
    const problem = await findProblem(regex)
    if (problem !== null) found.push(`${regex.where} ${text}: ${problem}`)
  }
  return found
}

afterEach(() => vi.unstubAllGlobals())

test('the check notices quadratic and exponential time', async () => {
  const regexes = [/\s+$/, /(a|a)*b/, /[a-z]+(?:\.[a-z]+)+/].map(({ source, flags }) => ({
    where: 'here',
    source,
    flags,
  }))
  expect(await findNonLinear(regexes)).toHaveLength(3)
})

test(
  'every regular expression in the source takes linear time',
  async () => {
    const files = globSync('{contract,server,web}/**/*.{ts,tsx,js}', {
      cwd: root,
      exclude: (name) =>
        /^(?:node_modules|dist|testing)$/.test(name) ||
        /(?:^|[/\\])(?:node_modules|dist|testing)(?:[/\\]|$)/.test(name),
    }).filter(
      (file) =>
        !/\.(?:test|fixture|gen|d)\.tsx?$/.test(file) && !(file in allowedFiles) && !templateParts.test(file),
    )
    expect(files.length).toBeGreaterThan(500)
    const regexes = files.flatMap(findRegexes)
    expect(regexes.length).toBeGreaterThan(300)
    expect(await findNonLinear(regexes)).toEqual([])
  },
  checkingTimeoutMs,
)

test(
  'every compiled link template takes linear time',
  async () => {
    const regexes: Regex[] = []
    let where = ''
    vi.stubGlobal(
      'RegExp',
      class extends RegExp {
        constructor(source: string, flags?: string) {
          super(source, flags)
          regexes.push({ where, source, flags: this.flags })
        }
      },
    )
    for (const { name, parts, links, portraitLinks = [] } of [...videoHosts, ...adultVideoHosts]) {
      where = name
      for (const link of [...links, ...portraitLinks]) compileLink(link, parts)
    }
    vi.unstubAllGlobals()
    expect(regexes.length).toBeGreaterThan(500)
    expect(await findNonLinear(regexes)).toEqual([])
  },
  checkingTimeoutMs,
)

test('the formats of schemas that are defined by a library take linear time', async () => {
  const formats = [fullFormats.email, fullFormats['date-time']]
  const regexes = formats.flatMap((format) =>
    format instanceof RegExp ? [{ where: 'ajv-formats', source: format.source, flags: format.flags }] : [],
  )
  expect(regexes).toHaveLength(1)
  expect(await findNonLinear(regexes)).toEqual([])
})
