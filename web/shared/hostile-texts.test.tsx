/**
 * Every function over user text takes time proportional to the text: each hostile text takes less than 5 ms, or longer
 * on a machine that is slower than usual.
 */
import {
  listHostileTexts,
  measureWork,
  scaleLimit,
} from '@reelmark/contract/protocol/hostile-texts.fixture.ts'
import { expect, test } from 'vitest'
import { createTitleRenderer, splitMatches } from '../features/listing/search/highlight-matches.tsx'
import { insertOperator, matchOperators } from '../features/listing/search/match-operators.ts'
import { scriptSafeJson } from '../ui/json-ld.tsx'
import { LinkedText } from '../ui/linked-text.tsx'
import { hueClass, initials } from '../ui/placeholder.tsx'
import { truncate } from './pages/page-head.ts'

const functions: Record<string, (text: string) => unknown> = {
  LinkedText: (text) => LinkedText({ text }),
  'LinkedText of a link': (text) => LinkedText({ text: `see https://example.org/${text}` }),
  'LinkedText of a host': (text) => LinkedText({ text: `see https://${text}` }),
  'LinkedText of brackets': (text) => LinkedText({ text: `https://example.org/${'('.repeat(2000)}${text}` }),
  truncate: (text) => truncate(text, 200),
  'marks of a title': (text) => splitMatches(text, { words: new Set(['b']), phrases: [['a', 'a', 'a']] }),
  'marks of a search': (text) => createTitleRenderer(text)('a title'),
  matchOperators: (text) => matchOperators(text, text.length, true),
  insertOperator: (text) => insertOperator(text, text.length, 'tag:'),
  scriptSafeJson,
  initials,
  hueClass,
}

const texts = listHostileTexts()
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
/** Five milliseconds; more if this machine is slow. */
const maxMs = scaleLimit(5, cpuMs)

test.each(Object.entries(functions))(
  '%s takes less than 5 ms for every hostile text',
  { tags: 'heavy' },
  (_name, run) => {
    const slow = texts.flatMap(({ name, text }) => {
      const ms = measureWork(() => run(text), maxMs, cpuMs)
      // The machine may be slower than at the start of the test.
      return ms < maxMs || ms < scaleLimit(5, cpuMs) ? [] : [`${name}: ${ms.toFixed(1)} ms`]
    })
    expect(slow).toEqual([])
  },
)
