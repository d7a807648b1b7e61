/**
 * Rejects the words that GLOSSARY.md replaces, in names of files, variables, functions, types and properties.
 * Comments, strings and JSX text are not checked. Run it alone: `node scripts/check-names.mjs [folder]`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './processes.mjs'

/** Replaced word → what to use instead. A word is one part of a camelCase, snake_case or kebab-case name. */
const replacedWords = readReplacedWords()

/** Reads the table in the last section of GLOSSARY.md. @throws Error if the section has no table. */
function readReplacedWords() {
  const [, section = ''] = readFileSync(join(root, 'GLOSSARY.md'), 'utf8').split('\n## Words we replaced\n')
  const rows = [...section.matchAll(/^\| (`.+`) \| (.+) \|$/gm)]
  if (rows.length === 0) throw new Error('GLOSSARY.md has no table of replaced words.')
  return new Map(rows.flatMap(([, words, instead]) => words.match(/[a-z]+/g).map((word) => [word, instead])))
}

/** Names of libraries and standards, which are used as they are. */
const foreignNames = new Set([
  'given_url',
  'keepAlive',
  'keepAliveInitialDelayMillis',
  'keepAliveMaxTimeout',
  'keepAliveTimeout',
  'keepalive',
  'keepPreviousData',
  'keepStack',
  'PromiseSettledResult',
])

const splitName = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

function rejectedWord(name) {
  if (foreignNames.has(name)) return undefined
  return splitName(name).find((word) => replacedWords.has(word))
}

/** Calls `report(name, offset)` for each name in the syntax tree, except uses of members, which others may define. */
function visitNames(node, report) {
  if (Array.isArray(node)) {
    for (const child of node) visitNames(child, report)
    return
  }
  if (node === null || typeof node !== 'object') return
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') report(node.name, node.start)
  for (const [key, child] of Object.entries(node)) {
    if (node.type === 'MemberExpression' && key === 'property' && !node.computed) continue
    if (node.type === 'ImportSpecifier' && key === 'imported') continue
    visitNames(child, report)
  }
}

/** Returns one line per rejected name under `folder`: `path:line name (use ...)`. */
function findRejectedNames(folder) {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  const lines = []
  for (const file of files.split('\n').filter(Boolean)) {
    const word = rejectedWord(basename(file))
    if (word !== undefined) lines.push(`${file}: "${word}" in the file name (use ${replacedWords.get(word)})`)
    if (!/\.(ts|tsx|mjs)$/.test(file) || file.endsWith('.gen.ts')) continue
    const source = readFileSync(join(root, file), 'utf8')
    const reported = new Set()
    visitNames(parseSync(file, source).program, (name, offset) => {
      const rejected = rejectedWord(name)
      if (rejected === undefined || reported.has(name)) return
      reported.add(name)
      const line = source.slice(0, offset).split('\n').length
      lines.push(`${file}:${line} ${name} (use ${replacedWords.get(rejected)})`)
    })
  }
  return lines
}

const lines = findRejectedNames(process.argv[2] ?? '.')
for (const line of lines) console.error(line)
process.exitCode = lines.length === 0 ? 0 : 1
