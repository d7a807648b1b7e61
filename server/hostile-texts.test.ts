/**
 * Every function over user text takes time proportional to the text: each hostile text takes less than 5 ms, or at most
 * three times as long as half of the text. A quadratic function takes four times as long.
 */

import {
  listHostileTexts,
  measureWork,
  scaleLimit,
} from '@reelmark/contract/protocol/hostile-texts.fixture.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import { expect, test } from 'vitest'
import { decodePage } from './core/decode-page.ts'
import { htmlToText } from './core/html-tokenizer.ts'
import { markup } from './core/http/markup.ts'
import { ipBucketKey } from './core/http/rate-limits.ts'
import { hasVisibleText, normalizeUnicode } from './core/http/unicode.ts'
import { createPartValidator } from './core/http/validation.ts'
import { renderMail } from './core/mail/mail-layout.ts'
import { normaliseUrl } from './core/video-links/normalise-url.ts'
import { firstLink, isAdultLink, recogniseVideo } from './core/video-links/recognise-video.ts'
import { suggestUsernames } from './features/auth/identities/rules.ts'
import { describeUserAgent } from './features/auth/sessions/describe-user-agent.ts'
import { findLinkHosts } from './features/comments/comment-screening.ts'
import { normaliseContent } from './features/comments/rules.ts'
import { lexemeQuery } from './features/listing/tsquery-text.ts'
import {
  compileRules,
  findMatches,
  normalisePattern,
  normaliseText,
  splitWords,
} from './features/moderation/content-rules/match-rules.ts'
import { readEmbeddedVideos } from './features/videos/extraction/embedded-videos.ts'
import { isInterstitialTitle, isInterstitialUrl } from './features/videos/extraction/interstitials.ts'
import { readJsonLd } from './features/videos/extraction/json-ld.ts'
import { readOembed } from './features/videos/extraction/oembed.ts'
import { findProviderOembedUrl } from './features/videos/extraction/oembed-providers.ts'
import * as extraction from './features/videos/extraction/rules.ts'
import { normaliseTags } from './shared/tag-names.ts'

const rules = compileRules([
  { id: 1, kind: 'host', pattern: 'spam.example', effect: 'hold' },
  { id: 2, kind: 'word', pattern: 'cheap pills', effect: 'hold' },
  { id: 3, kind: 'word', pattern: '赌场', effect: 'hold' },
  { id: 4, kind: 'tag', pattern: 'spam', effect: 'hold' },
])
const validateTexts = createPartValidator({ type: 'object' })
const page = 'https://films.example/watch'

type Functions = Record<string, (text: string) => unknown>

const textFunctions: Functions = {
  'screening of a text': (text) => findMatches(rules, [{ field: 'x', text }]),
  'screening of tags': (text) => findMatches(rules, [{ field: 'x', tags: [text] }]),
  normaliseText,
  splitWords,
  'normalisePattern of a word': (text) => normalisePattern('word', text),
  findLinkHosts,
  normaliseContent: (text) => {
    try {
      return normaliseContent(text)
    } catch {
      return null
    }
  },
  parseSearch,
  lexemeQuery: (text) => lexemeQuery('tag', text),
  describeUserAgent,
  normaliseTags: (text) => normaliseTags([text, ...text.split(',')]),
  normalizeUnicode,
  hasVisibleText,
  markup: (text) => markup`${text}`,
  'normalising the texts of a body': (text) => validateTexts({ text }, ''),
  ipBucketKey,
  suggestUsernames: (text) => suggestUsernames([text]),
  renderMail: (text) => renderMail({ heading: text, paragraphs: [text] }, 'https://site.example'),
  cleanTitle: extraction.cleanTitle,
  cleanDescription: extraction.cleanDescription,
  withoutSiteName: (text) =>
    extraction.withoutSiteName(extraction.cleanTitle(text), [extraction.cleanTitle(text.slice(0, 50))]),
  isEmptyTitle: (text) => extraction.isEmptyTitle(extraction.cleanTitle(text), ['Site']),
  toSeconds: extraction.toSeconds,
  firstSize: (text) => extraction.firstSize([[text, text]]),
  cleanTags: (text) => extraction.cleanTags(text.split(/[,;、]/), ['Site']),
  decodePage: (text) => decodePage(Buffer.from(text), text.slice(0, 5000)),
  'decodePage of Latin text': (text) => decodePage(Buffer.from(text, 'latin1'), ''),
  'readOembed of XML': (text) =>
    readOembed(`<oembed><type>video</type><title>${text}</title>${text}</oembed>`),
  'readOembed of HTML': (text) => readOembed(JSON.stringify({ type: 'video', html: text, title: text })),
  readJsonLd,
  'readJsonLd of text in quotes': (text) => readJsonLd(`{"@type":"VideoObject","name":"${text}",,}`),
  htmlToText,
}

const linkFunctions: Functions = {
  'screening of a link': (text) => findMatches(rules, [{ field: 'x', link: text }]),
  'normalisePattern of a host': (text) => normalisePattern('host', text),
  isHttpUrl,
  normaliseUrl,
  recogniseVideo,
  isAdultLink,
  firstLink,
  findProviderOembedUrl,
  isInterstitialTitle: (text) => isInterstitialTitle(extraction.cleanTitle(text)),
  isInterstitialUrl,
  readEmbeddedVideos: (text) => readEmbeddedVideos('iframe', { src: text, srcdoc: text, 'data-src': text }),
  'readEmbeddedVideos of a custom element': (text) =>
    readEmbeddedVideos('x-video', {
      videoid: text,
      class: text,
      'data-youtube': text,
      [`data-${text}`]: text,
    }),
  isStandIn: extraction.isStandIn,
  pictureUrl: (text) => extraction.pictureUrl(text, page),
  playerUrl: (text) => extraction.playerUrl(text, page, { ownHosts: ['site.example'] }),
}

/** Links with the text in each part that users choose. */
const toLinks: ((text: string) => string)[] = [
  (text) => text,
  (text) => `https://example.org/${text}`,
  (text) => `https://www.youtube.com/watch?v=${text}&${text}`,
  (text) => `https://${text}.example.org/`,
  (text) => `https://x.example/videos/watch/${text}#!${text}`,
]

const texts = listHostileTexts()
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
/** Five milliseconds; more if this machine is slow. */
const maxMs = scaleLimit(5, cpuMs)

test('the hostile texts cover the scripts and the punctuation', () => {
  expect(texts.filter(({ name }) => name.endsWith('one letter')).length).toBeGreaterThan(160)
  expect(texts.filter(({ name }) => name.startsWith('U+')).length).toBeGreaterThan(900)
})

test('the measure notices a function that takes quadratic time', () => {
  // Several texts consist of white space. Each is measured, so that other work on the machine does not matter.
  const slow = findSlowTexts((text) => /\s+$/.test(`${text}x`))
  expect(slow.filter((text) => /^U\+(?:9|a|b|c|d|20) repeated/.test(text)).length).toBeGreaterThan(0)
})

/**
 * Returns the names of the texts, changed by `change`, for which `run` takes 5 ms or more, and more than three times as
 * long as for half of the text.
 */
function findSlowTexts(run: (text: string) => unknown, change = (text: string) => text): string[] {
  return texts.flatMap(({ name, text }) => {
    const measure = (part: string, sufficientMs: number) => {
      const input = change(part)
      return measureWork(() => run(input), sufficientMs, cpuMs)
    }
    if (measure(text, maxMs) < maxMs) return []
    // The shortest of twenty runs each.
    const whole = measure(text, 0)
    const half = measure(text.slice(0, text.length / 2), 0)
    return whole < maxMs || whole < 3 * half ? [] : [`${name} in ${change('…')}: ${whole.toFixed(1)} ms`]
  })
}

test.each(Object.entries(textFunctions))('%s takes less than 5 ms for every hostile text', (_name, run) =>
  expect(findSlowTexts(run)).toEqual([]),
)

test.each(Object.entries(linkFunctions))('%s takes less than 5 ms for every hostile link', (_name, run) =>
  expect(toLinks.flatMap((toLink) => findSlowTexts(run, toLink))).toEqual([]),
)
