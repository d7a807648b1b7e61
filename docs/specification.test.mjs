/** docs/specification.md against the checkout, and against the specification itself where that is beside it. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const specification = path.join(root, '../shared/spec')
const read = (name) => readFileSync(path.join(root, name), 'utf8')

const rows = readRows(read('docs/specification.md'))
const states = /^(done|no test|open \(issue [45]\)|decided|nothing to build)(; .+)?$/

describe('every row', () => {
  test('has an id of its own and a state that fits', () => {
    const wrong = rows.filter(({ cells, id }) => {
      const [, line, where, proof, state = ''] = cells
      const kind = states.exec(state)?.[1]
      return (
        cells.length !== 5 ||
        line === '' ||
        kind === undefined ||
        (kind === 'done' && (where === '' || proof === '')) ||
        (kind === 'no test' && (where === '' || proof !== '')) ||
        (kind === 'decided' && !state.includes('decisions.md')) ||
        rows.filter((other) => other.id === id).length > 1
      )
    })
    expect(wrong.map(({ text }) => text)).toEqual([])
    expect(rows.length).toBeGreaterThan(300)
  })

  test('names files that are there, and tests that are in them', () => {
    const wrong = rows.flatMap(({ id, cells }) =>
      [cells[2], cells[3]].flatMap((cell) => problemsOf(cell).map((problem) => `${id}: ${problem}`)),
    )
    expect(wrong).toEqual([])
  })
})

const isThere = existsSync(specification)
if (!isThere) process.stderr.write('Skipped: no specification in ../shared/spec\n')
describe.skipIf(!isThere)('the specification', () => {
  test('has no line that is forgotten, and no row is of another line', () => {
    const lines = isThere ? readLines() : []
    const covered = new Map(lines.map((line) => [line, []]))
    const wrong = []
    for (const { id, section, cells } of rows.filter((row) => row.section !== 'Beyond both')) {
      const found = lines
        .filter((line) => line.section === section)
        .map((line) => [line, rangeOf(line.text, cells[1])])
        .filter(([, range]) => range !== null)
      if (found.length === 1) covered.get(found[0][0]).push(found[0][1])
      else wrong.push(`${id} stands in ${found.length} lines of '${section}': ${cells[1]}`)
    }
    for (const [line, ranges] of covered) {
      for (const [from, to, words] of sentencesOf(line.text)) {
        const isCovered = ranges.some(([start, end]) => start < to && end > from)
        if (!isCovered) wrong.push(`no row has '${words}' of '${line.section}', line ${line.number}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** `{id, section, cells, text}` of every row of a table whose first cell is an id. */
function readRows(page) {
  let section = ''
  return page.split('\n').flatMap((text) => {
    if (text.startsWith('## ')) section = text.slice(3)
    if (!/^\| \w\.\d+ \|/.test(text)) return []
    const cells = text
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    return [{ id: cells[0], section, cells, text }]
  })
}

/** What is wrong with a cell of `path` and “test”: each test is in the file that stands last before it. */
function problemsOf(cell) {
  let file = null
  return [...cell.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, name, words]) => {
    if (name !== undefined) {
      file = existsSync(path.join(root, name)) ? name : null
      return file === null ? [`no file ${name}`] : []
    }
    if (file === null || read(file).includes(words)) return []
    return [`nothing in ${file} says “${words}”`]
  })
}

/** Every line that says something, without its Markdown: `{section, number, text}`. */
function readLines() {
  return ['product.md', 'decisions.md'].flatMap((name) => {
    const isProduct = name === 'product.md'
    let section = isProduct ? 'Before the sections' : name
    const lines = readFileSync(path.join(specification, name), 'utf8').split('\n')
    return lines.flatMap((line, at) => {
      if (line.startsWith('## ')) section = isProduct ? line.slice(3) : `decisions.md: ${line.slice(3)}`
      const isHead = line.startsWith('#') || isRule(line) || isRule(lines[at + 1])
      if (isHead || line.trim() === '') return []
      if (!isProduct && !rows.some((row) => row.section === section)) return []
      return [{ section, number: at + 1, text: plain(line) }]
    })
  })
}

function isRule(line = '') {
  return /^\|[-| ]+\|$/.test(line)
}

function plain(line) {
  return line
    .replace(/^\s*(- |\d+\. )/, '')
    .replace(/[*`]/g, '')
    .replace(/[|\s]+/g, ' ')
    .trim()
}

/** Where the quoted parts stand in a text, one after the other: from the first's start to the last's end. */
function rangeOf(text, quotation) {
  let start = null
  let end = 0
  for (const part of plain(quotation).split('…')) {
    const at = text.indexOf(part.trim(), end)
    if (at < 0) return null
    start ??= at
    end = at + part.trim().length
  }
  return [start, end]
}

/** The sentences of a line and what semicolons part: `[from, to, words]`. */
function sentencesOf(text) {
  const ends = [...text.matchAll(/[.;!?]['’)]*(?= )/g)].map(({ index, 0: mark }) => index + mark.length)
  return [...ends, text.length].map((to, at) => {
    const from = at === 0 ? 0 : ends[at - 1] + 1
    return [from, to, text.slice(from, to)]
  })
}
