import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodePage } from '../../../core/decode-page.ts'
import { anyText } from '../../../testing/any-text.ts'
import { isInterstitialTitle, isInterstitialUrl } from './interstitials.ts'
import { readJsonLd } from './json-ld.ts'
import { readPage } from './page-metadata.ts'
import {
  cleanDescription,
  cleanTags,
  cleanTitle,
  isEmptyTitle,
  pictureUrl,
  playerUrl,
  toSeconds,
  withoutSiteName,
} from './rules.ts'

test.each([
  ['PT2M24S', 144],
  ['P0DT0H4M40S', 280],
  ['PT1H', 3600],
  ['T1M5S', 65],
  ['PT143.6S', 144],
  ['144', 144],
  ['8.98', 9],
  ['2:24', 144],
  ['1:02:24', 3744],
  ['2 min 24 s', 144],
  ['', null],
  ['PT', null],
  ['P', null],
  ['0', null],
  ['PT0S', null],
  ['-5', null],
  ['soon', null],
  ['9e99', null],
  ['99999999999', null],
  ['1:2:3:4', null],
])('a duration %j is %s seconds', (text, seconds) => {
  expect(toSeconds(text)).toBe(seconds)
})

test('a title becomes one clean line', () => {
  expect(cleanTitle('  Tom &amp; Jerry\n\t&#8211;  “Cat”\u0000\u202e ')).toBe('Tom & Jerry – “Cat”')
  expect(cleanTitle('How <div> works & why')).toBe('How <div> works & why')
  expect(cleanTitle('Cafe\u0301')).toBe('Café')
  expect(cleanTitle('\ud800x')).toBe('\ufffdx')
  expect(cleanTitle(`${'a'.repeat(299)}😀`)).toBe('a'.repeat(299))
  expect(cleanTitle(null)).toBe('')
})

test('a description keeps its paragraphs and loses its HTML tags', () => {
  expect(cleanDescription('One<br>two</p>\r\n\r\n\r\n\r\n<b>three</b> &amp; four')).toBe(
    'One two\n\nthree & four',
  )
  expect(cleanDescription('x'.repeat(9000))).toHaveLength(5000)
})

test('only the name of the site is removed from the end of a title', () => {
  expect(withoutSiteName('Kittens - YouTube', ['YouTube'])).toBe('Kittens')
  expect(withoutSiteName('Kittens | youtube', ['YouTube'])).toBe('Kittens')
  expect(withoutSiteName('Half-Life - Part 2', ['YouTube'])).toBe('Half-Life - Part 2')
  expect(withoutSiteName(' - YouTube', ['YouTube'])).toBe(' - YouTube')
  expect(withoutSiteName('C++ (a|b) - c++.example', ['c++.example'])).toBe('C++ (a|b)')
})

test('meaningless titles are recognised', () => {
  for (const title of [
    'YouTube',
    '- YouTube',
    'not set',
    'undefined',
    '5348771529001-6054943312001',
    'https://a.example/x',
  ]) {
    expect(isEmptyTitle(title, ['YouTube']), title).toBe(true)
  }
  for (const title of ['1984', 'Home Alone', 'The Untitled', 'How YouTube works']) {
    expect(isEmptyTitle(title, ['YouTube']), title).toBe(false)
  }
})

test('interstitial pages are distinguished from videos with similar titles', () => {
  const check = (title: string, url = 'https://example.com/v/1') =>
    isInterstitialTitle(title) || isInterstitialUrl(url)
  for (const title of [
    'Just a moment...',
    'Attention Required! | Cloudflare',
    'Before you continue to YouTube',
    'Bevor Sie zu YouTube weitergehen',
    'Access denied',
    '404 Not Found',
    'Page not found',
    'This video is private',
    'Video unavailable',
    'Log in to Facebook',
    'Iniciar sesión | X',
    'Un momento…',
    'Client Challenge',
    'Pardon Our Interruption...',
    'Prima di continuare su YouTube',
    'Voordat je verdergaat naar YouTube',
    'ログイン - YouTube',
    'Войти | ВКонтакте',
    'Login • Instagram',
    'Pinterest Login',
    "This content isn't available right now",
    'Sorry, this video does not exist',
    'Private video',
    'Cookie settings',
    'Age verification',
    'Your browser is not supported',
    'Redirecting...',
    'Please enable JavaScript',
  ]) {
    expect(check(title), title).toBe(true)
  }
  for (const title of [
    'A moment of peace',
    'How to deny access in nginx',
    'Log cabin tour',
    'The 404 bus',
    'Error 37: a story',
    '500 Days of Summer trailer',
    'How to log in to Facebook without a password',
    'Login with OAuth in Node.js, explained in ten minutes of live coding',
    'How to update your browser',
    'I solved a captcha a day for a year',
    'TSA security checkpoint at JFK',
    'Why the phone is not available in Europe',
    'My post got deleted',
    'GDPR cookie consent explained',
    'Loading a truck',
    'Sorry',
  ]) {
    expect(check(title), title).toBe(false)
  }
  expect(check('Instagram', 'https://www.instagram.com/accounts/login/?next=x')).toBe(true)
  expect(check('x', 'https://consent.youtube.com/m?continue=y')).toBe(true)
})

const base = 'https://site.example/v/1'
const rules = { ownHosts: ['reelmark.example'] }

test('a player must be an https page of another host, and that of a known host is rebuilt', () => {
  expect(playerUrl('/embed/1', base, rules)).toBe('https://site.example/embed/1')
  expect(playerUrl('//player.example/1?a=1&amp;b=2', base, rules)).toBe('https://player.example/1?a=1&b=2')
  expect(playerUrl('http://www.youtube.com/v/aqz-KE-bpKQ?autoplay=1&evil=1', base, rules)).toBe(
    'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
  )
  for (const invalid of [
    'http://player.example/1',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://reelmark.example/embed/1',
    'https://user:pass@player.example/',
    'https://player.example/film.swf?x=1',
    'https://player.example/film.MP4',
    '',
    null,
  ]) {
    expect(playerUrl(invalid, base, rules), String(invalid)).toBeNull()
  }
})

test('a picture must have an http address and be no vector graphic', () => {
  expect(pictureUrl('/a.jpg', base)).toBe('https://site.example/a.jpg')
  expect(pictureUrl('http://site.example/a b.png', base)).toBe('http://site.example/a%20b.png')
  for (const invalid of ['data:image/png;base64,x', 'javascript:1', '/logo.svg', '', null, 'http://']) {
    expect(pictureUrl(invalid, base), String(invalid)).toBeNull()
  }
})

test('tags are normalised, limited in number, unique and meaningful', () => {
  expect(
    cleanTags(
      ['#Cats', ' cats ', 'Video', 'x', '猫', 'kittens &amp; dogs', 'YouTube', 'a'.repeat(60), '!!', '猫耳'],
      ['YouTube'],
    ),
  ).toEqual(['Cats', 'kittens & dogs', '猫耳'])
  expect(cleanTags(Array.from({ length: 30 }, (_, i) => `tag ${i}`))).toHaveLength(10)
})

test('the charset is determined from the bytes before the declaration', async () => {
  const text = 'Grüße aus Köln, «привет»'
  expect(await decodePage(Buffer.from(text), 'text/html; charset=windows-1251')).toBe(text)
  expect(await decodePage(Buffer.from(`\ufeff${text}`), '')).toBe(text)
  expect(await decodePage(Buffer.from('Gr\xfc\xdfe', 'latin1'), '')).toBe('Grüße')
  expect(await decodePage(Buffer.from([0xcf, 0xf0, 0xe8]), 'text/html; charset="windows-1251"')).toBe('При')
  expect(
    await decodePage(
      Buffer.concat([Buffer.from('<meta charset=shift_jis>'), Buffer.from([0x83, 0x65])]),
      'text/html',
    ),
  ).toContain('テ')
  expect(await decodePage(Buffer.from('\ufefftext', 'utf16le'), '')).toBe('text')
})

test('a charset is read as browsers read it', async () => {
  const decode = (bytes: number[] | Buffer, header: string, host?: string) =>
    decodePage(Buffer.from(bytes), header, host)
  // An unknown label is ignored.
  expect(await decode([0x41, 0xff], 'text/html; charset=no-such-thing')).toBe('Aÿ')
  expect(await decode([0x93, 0x41, 0x94], 'text/html; charset=iso-8859-1')).toBe('“A”')
  // A page whose declaration can be read is not UTF-16.
  expect(await decode(Buffer.from('<meta charset="utf-16">Tag'), 'text/html')).toContain('Tag')
  const xml = Buffer.concat([
    Buffer.from("<?xml version='1.0' encoding='windows-1251'?>"),
    Buffer.from([0xcf]),
  ])
  expect(await decode(xml, '')).toContain('П')
  // Without a declaration, the country of the host decides.
  expect(await decode([0xcf, 0xf0, 0xe8], '', 'video.example.ru')).toBe('При')
  expect(await decode([0x83, 0x65], '', 'example.jp')).toBe('テ')
  expect(await decode([0xfc], '', 'example.com')).toBe('ü')
})

test('characters at the edges of the parts that are decoded at once are kept', async () => {
  const text = `x${'é字😀'.repeat(40_000)}`
  expect(await decodePage(Buffer.from(text), '')).toBe(text)
  expect(await decodePage(Buffer.from(`\ufeff${text}`, 'utf16le'), '')).toBe(text)
  const shiftJis = Buffer.concat([Buffer.from('x'), Buffer.alloc(200_000, Buffer.from([0x83, 0x65]))])
  expect(await decodePage(shiftJis, 'text/html; charset=shift_jis')).toBe(`x${'テ'.repeat(100_000)}`)
})

test('broken JSON-LD is read where it can be repaired', () => {
  const film = '"@type":"VideoObject","name":"Film"'
  for (const text of [
    `{${film},}`,
    `/* made by x */ {${film}} // end`,
    `<!-- {${film}} -->`,
    `{${film}, "description": "two\nlines"}`,
    `{${film}, "description": "it\\'s"}`,
    `{${film}};`,
    `[{"@context":"https://schema.org","@graph":[{"@type":"WebPage"},{${film}}]}]`,
    `{"@type":"http://schema.org/VideoObject","name":"Film"}`,
    `{"@type":["VideoObject","LearningResource"],"name":"Film"}`,
    `{"@type":"NewsArticle","video":{${film}}}`,
  ]) {
    expect(readJsonLd(text)[0]?.name, text).toBe('Film')
  }
  expect(readJsonLd('{"@type":"VideoObject",')).toEqual([])
  expect(readJsonLd('null')).toEqual([])
  const deep = (text: string) => '['.repeat(900) + text + ']'.repeat(900)
  expect(readJsonLd(`{${film},"description":${deep('"x"')},"image":${deep('"x"')}}`)).toMatchObject([
    { name: 'Film', description: null, thumbnails: [] },
  ])
  expect(readJsonLd('['.repeat(100_000))).toEqual([])
  expect(readJsonLd(`{"@type":"NewsArticle","video":{${film}}}`)[0]?.isMain).toBe(false)
  expect(readJsonLd(`{"@graph":[{${film}}]}`)[0]?.isMain).toBe(true)
})

test('microdata is read across nested elements', async () => {
  const { microdata } = await readPage(`
    <div itemscope itemtype="http://schema.org/VideoObject"><div><h1 itemprop="name">A <b>film</b></h1></div>
      <meta itemprop="duration" content="PT1M"><link itemprop="thumbnailUrl" href="/t.jpg">
      <span itemprop="author" itemscope itemtype="http://schema.org/Person"><link itemprop="name" content="Ann"></span>
      <span itemprop="publisher" itemscope><meta itemprop="name" content="Site"></span>
    </div><p itemprop="name">outside</p>`)
  expect(microdata[0]).toMatchObject({
    name: 'A film',
    duration: 'PT1M',
    thumbnails: ['/t.jpg'],
    author: 'Ann',
    isMain: true,
  })
})

test('reading any text as a page or as JSON-LD does not throw', async () => {
  const pieces = fc.array(
    fc.constantFrom(
      '<meta ',
      'property="og:title"',
      ' content=',
      '"',
      "'",
      '>',
      '<script type="application/ld+json">',
      '</script>',
      '{',
      '"@type":"VideoObject"',
      ',',
      '}',
      '<title>',
      '&amp;',
      '&#x0;',
      '<svg>',
      '<div itemscope itemtype="schema.org/VideoObject">',
      '<b itemprop=name>',
      'x',
      '<',
      '/',
      '__proto__',
      '\u0000',
      '\ud800',
    ),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        pieces.map((parts) => parts.join('')),
        anyText,
      ),
      async (text) => {
        await readPage(text)
        readJsonLd(text)
        cleanDescription(text)
        expect(cleanTitle(text).isWellFormed()).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['nested elements', '<div>'.repeat(500_000)],
  ['open microdata', '<div itemscope itemtype="http://schema.org/VideoObject" itemprop=a>'.repeat(40_000)],
  ['attributes', `<meta ${'a=b '.repeat(1_000_000)}>`],
  ['distinct attributes', `<meta ${Array.from({ length: 300_000 }, (_, i) => `a${i}=b`).join(' ')}>`],
  ['meta tags', '<meta property="og:title" content="x">'.repeat(100_000)],
  ['entities', `<title>${'&amp;'.repeat(900_000)}`],
  ['unclosed tags', '<a '.repeat(1_000_000)],
  ['unclosed comment', `<!--${'-'.repeat(4_000_000)}`],
  ['nested JSON-LD', `<script type="application/ld+json">${'{"a":['.repeat(300_000)}</script>`],
  ['JSON-LD full of commas', `<script type="application/ld+json">[${', '.repeat(900_000)}]</script>`],
  ['JSON-LD that only closes', `<script type="application/ld+json">${'}'.repeat(900_000)}</script>`],
  ['keywords', `<meta name="keywords" content="${'a,'.repeat(2_000_000)}">`],
  ['broken JSON-LD', '<script type="application/ld+json">[1,]]</script>'.repeat(50_000)],
  ['white space in a title', `<title>${' '.repeat(4_000_000)}x</title>`],
])(
  'a page of nothing but %s is read within the time limit, and other work runs in between',
  async (_name, html) => {
    // CPU time of this thread, because other processes may be using the machine.
    const start = process.threadCpuUsage()
    let pauses = 0
    let isRead = false
    const others = (async () => {
      for (; !isRead; pauses++) await setImmediate()
    })()
    const facts = await readPage(html)
    isRead = true
    await others
    const reading = process.threadCpuUsage(start)
    // A pause is due every five milliseconds; more may pass while the code is compiled and garbage is collected.
    expect(pauses).toBeGreaterThan((reading.user + reading.system) / 1000 / 25)
    cleanTitle(facts.title)
    cleanDescription(facts.title)
    const { user, system } = process.threadCpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(10_000)
  },
)
