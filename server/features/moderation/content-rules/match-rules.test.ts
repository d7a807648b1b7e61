import { describe, expect, test } from 'vitest'
import { compileRules, findMatches, normalisePattern, type Rule, type ScreenedPart } from './match-rules.ts'

const rule = (kind: Rule['kind'], typed: string): Rule => ({
  id: 1,
  kind,
  pattern: normalisePattern(kind, typed) ?? 'none',
  effect: 'hold',
})
const matches = (kind: Rule['kind'], typed: string, part: Omit<ScreenedPart, 'field'>) =>
  findMatches(compileRules([rule(kind, typed)]), [{ field: 'x', ...part }]).length > 0

describe('a host pattern', () => {
  test.each([
    ['spam.example', 'https://spam.example/x'],
    ['https://www.Spam.example/path', 'https://a.b.spam.example/'],
    ['*.spam.example', 'https://spam.example:8443/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['203.0.113.9', 'https://203.0.113.9/'],
  ])('%s matches the link %s', (typed, link) => expect(matches('host', typed, { link })).toBe(true))

  test.each([
    ['spam.example', 'https://nospam.example/'],
    ['spam.example', 'https://spam.example.org/'],
    ['113.9', 'https://203.0.113.9/'],
  ])('%s does not match the link %s', (typed, link) => expect(matches('host', typed, { link })).toBe(false))

  test.each(['see http://a.spam.example/x', 'SPAM.example', 'at spam.example.', 'ｓｐａｍ.example/now'])(
    'is found in the text "%s"',
    (text) => expect(matches('host', 'spam.example', { text })).toBe(true),
  )

  test.each(['', 'a b', '***', 'http://', 'x/..'])('"%s" is not accepted as a host', (typed) =>
    expect(['x', null]).toContain(normalisePattern('host', typed)),
  )
})

describe('a word pattern', () => {
  test.each([
    ['casino', 'The CASINO is open'],
    ['casino', 'ca\u200bsi\u00adno'],
    ['casino', 'Cásìnö!'],
    ['casino', '𝗰𝗮𝘀𝗶𝗻𝗼 ｃａｓｉｎｏ'],
    ['buy now', 'Buy — now?'],
    ['grosse', 'Größe GROSSE grosse'],
    ['赌场', '最好的赌场在这里'],
  ])('%s matches "%s"', (typed, text) => expect(matches('word', typed, { text })).toBe(true))

  test.each([
    ['ass', 'A class, passing'],
    ['buy now', 'buy it now'],
    ['casino', 'casinos'],
  ])('%s does not match "%s"', (typed, text) => expect(matches('word', typed, { text })).toBe(false))

  test('matches tags too, and text without letters or digits is not accepted', () => {
    expect(matches('word', 'casino', { tags: ['big casino'] })).toBe(true)
    expect(normalisePattern('word', ' \u200b … ')).toBe(null)
  })
})

test('a tag pattern matches whole tags, normalised as they are stored', () => {
  expect(matches('tag', '#Stop  Motion', { tags: ['stop motion'] })).toBe(true)
  expect(matches('tag', 'stop', { tags: ['stop motion'] })).toBe(false)
})

test('matching a text against five thousand rules takes time proportional to its length', () => {
  const rules = Array.from({ length: 5000 }, (_, n) => ({ ...rule('word', `word${n}`), id: n }))
  const compiled = compileRules(rules)
  const text = 'nothing here is any of them '.repeat(180)
  const marks = `a${'\u0301'.repeat(5000)}`
  // CPU time of this thread, because other processes may be using the machine.
  const start = process.threadCpuUsage()
  for (let n = 0; n < 20; n += 1)
    findMatches(compiled, [
      { field: 'x', text },
      { field: 'x', text: marks },
    ])
  // Twenty times the time needed; a loop over all rules would exceed it.
  const { user, system } = process.threadCpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(4000)
})
